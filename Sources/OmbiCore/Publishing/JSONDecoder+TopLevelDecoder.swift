#if !canImport(Combine)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes `decode(type:decoder:)` accept a JSON decoder without OpenCombineFoundation, which would link all of
/// Foundation.
extension JSONDecoder: @retroactive TopLevelDecoder {
    public typealias Input = Data
}

extension JSONEncoder: @retroactive TopLevelEncoder {
    public typealias Output = Data
}
#endif
