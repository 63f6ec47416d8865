"""Formats of files that other programs write, whole: one module each, loaded when"""
