"""What the API and the commands return, as pydantic models."""
