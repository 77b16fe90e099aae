// `import OmbiCore` is enough to describe and to send requests: it brings the types that the library's own interface is
// written in. Publishers come from Combine, or from OpenCombine where there is none; `URL`, `Data`, `URLQueryItem` and
// `JSONDecoder` from FoundationEssentials, which, unlike Foundation, costs next to nothing at the start.
@_exported import Dispatch

#if canImport(Combine)
@_exported import Combine
#else
@_exported @preconcurrency import OpenCombine
@_exported @preconcurrency import OpenCombineDispatch
#endif

#if canImport(FoundationEssentials)
@_exported import FoundationEssentials
#else
@_exported import Foundation
#endif
