// Sources: Sources/OmbiBase Sources/OmbiDocument Sources/OmbiWorkspace/Import/YAML Tests/Fuzz/Stubs/Excerpt.swift

/// Texts as YAML: what is read is JSON whose values have places in the text, and an error has one, too.
@_cdecl("LLVMFuzzerTestOneInput")
func yamlFuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    // An importer reads no other file.
    guard String(validating: bytes, as: UTF8.self) != nil else { return 0 }
    let yaml: YAMLDocument
    do throws(YAMLError) { yaml = try YAMLDocument(bytes) } catch {
        precondition((0...count).contains(error.offset) && !error.reason.isEmpty, "an error has a place and a reason")
        return 0
    }
    guard let document = try? JSONDocument(checking: Bytes(yaml.json)), let root = document.firstRoot else {
        preconditionFailure("what is read is JSON")
    }
    var node: JSONNode? = root
    while let current = node {
        let place = yaml.places.offset(of: document.range(of: current).lowerBound)
        precondition((0...count).contains(place), "a value has a place in the text")
        node = document.next(after: current)
    }
    return 0
}
