// Requests and bodies are what is saved and run: all its files, and who imports it, see them by this one.
@_exported import OmbiCore
@_exported import OmbiDocument
