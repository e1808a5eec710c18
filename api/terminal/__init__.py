"""Values as rich renderables for a terminal; nothing here prints or reads a store."""
