// Sources: Sources/OmbiWorkspace/Import/Slumber/SlumberExpression.swift

/// Texts as expressions of slumber: one that is read has no more parts than the text has characters, and is read again.
@_cdecl("LLVMFuzzerTestOneInput")
func slumberFuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    // An importer reads no other file.
    guard let text = String(validating: bytes, as: UTF8.self), let expression = SlumberExpression(text) else {
        return 0
    }
    precondition(parts(of: expression) <= text.count, "a part takes a character at least")
    // An accent in front would make one character with the space.
    let spaced = " \(text) "
    precondition(spaced.first != " " || SlumberExpression(spaced) == expression, "spaces around it do not count")
    _ = (expression.literal, expression.literals)
    return 0
}

private func parts(of expression: SlumberExpression) -> Int {
    switch expression {
    case .text, .number, .bool, .null, .name: 1
    case .list(let elements): 1 + elements.reduce(0) { $0 + parts(of: $1) }
    case .call(_, input: let input, arguments: let arguments, options: let options):
        1 + (input.map { parts(of: $0) } ?? 0) + arguments.reduce(0) { $0 + parts(of: $1) }
            + options.values.reduce(0) { $0 + parts(of: $1) }
    }
}
