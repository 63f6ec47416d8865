"""Rules, in YAML and at work; make.py makes facts and rules by hand."""
