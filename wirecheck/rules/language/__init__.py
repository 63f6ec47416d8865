"""The language of rule files: fields, conditions, messages, severities, scripts of examples."""
