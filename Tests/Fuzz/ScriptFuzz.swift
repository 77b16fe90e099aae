// Sources: Sources/OmbiWorkspace/Import/Postman/ScriptToken.swift

/// Scripts of other tools: the tokens come in the order of their lines, and none is empty but a text.
@_cdecl("LLVMFuzzerTestOneInput")
func scriptFuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let script = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    let lines = script.count { $0.isNewline } + 1
    var last = 0
    for token in ScriptToken.tokens(of: script) {
        precondition(token.line >= last && token.line <= lines)
        precondition(!token.text.isEmpty || token.kind == .text || token.kind == .other)
        last = token.line
    }
    return 0
}
