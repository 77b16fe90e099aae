// Sources: Sources/OmbiWorkspace/Import/Bruno/BruFile.swift Sources/OmbiWorkspace/Import/Bruno/BruPairReader.swift Sources/OmbiWorkspace/Import/TextLine.swift Sources/OmbiBase/StringProtocol+Bytes.swift

/// Texts in Bruno's language: what is read has places in the text, in order, and an error has one, too.
@_cdecl("LLVMFuzzerTestOneInput")
func bruFuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    // An importer reads no other file.
    guard String(validating: bytes, as: UTF8.self) != nil else { return 0 }
    _ = BruFile.isLikely(bytes)
    _ = BruFile.isVersion1(bytes)
    let file: BruFile
    do throws(BruFile.Failure) { file = try BruFile(bytes) } catch {
        precondition((0...count).contains(error.offset) && !error.reason.isEmpty, "an error has a place and a reason")
        return 0
    }
    var last = 0
    for block in file.blocks {
        precondition((last...count).contains(block.offset) && !block.name.isEmpty, "blocks come in order")
        last = block.offset
        precondition(block.pairs.isEmpty || block.text.isEmpty, "a block has pairs, or text")
        for pair in block.pairs {
            precondition((last...count).contains(pair.offset), "pairs come in order")
            last = pair.offset
        }
    }
    return 0
}
