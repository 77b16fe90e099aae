// The search for texts by their bytes, and what else all targets share: without it a file would get the slow search of the
// standard library, without a word. All its files, and who imports it, see it by this one.
@_exported public import OmbiBase
