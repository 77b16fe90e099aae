// A body and its rows on the screen: all its files, and who imports it, see both by this one.
@_exported import OmbiDocument
@_exported import OmbiTerminal
