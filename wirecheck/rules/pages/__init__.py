"""Rules in, text for people out: pages of rules, generated docs, and examples that are run."""
