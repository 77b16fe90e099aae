// One import brings the library that this one belongs to.
@_exported import OmbiCore
