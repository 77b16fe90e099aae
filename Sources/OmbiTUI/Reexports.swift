// The saved requests, the screen and the bodies on it: all files of the program see them by this one.
@_exported import OmbiTerminal
@_exported import OmbiViewer
@_exported import OmbiWorkspace
