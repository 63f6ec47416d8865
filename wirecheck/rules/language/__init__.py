"""Texts of rule files in, what they mean out: fields, conditions, messages, severities, scripts of examples."""
