// The imports that OmbiCore exports to the files of the program.
@_exported import Dispatch
@_exported import FoundationEssentials
