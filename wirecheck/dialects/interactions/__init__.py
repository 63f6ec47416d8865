"""The Interactions API: its requests, its replies, and the steps in both."""
