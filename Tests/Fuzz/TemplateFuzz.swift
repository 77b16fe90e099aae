// Sources: Sources/OmbiBase/StringProtocol+Bytes.swift Sources/OmbiWorkspace/Template/TemplateScanner.swift Sources/OmbiWorkspace/Template/TemplateParser.swift Sources/OmbiWorkspace/Template/Template.swift Tests/Fuzz/Stubs/TemplateError.swift

/// Texts with templates: the reader that fills in, the one that colours and the one that imports agree, and what is read
/// can be written down and read again.
@_cdecl("LLVMFuzzerTestOneInput")
func templateFuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    let all = Array(text.utf8)[...]
    for escapes in [TemplateScanner.Escapes.single, .doubled, .none] {
        var scanner = TemplateScanner(all, escapes: escapes)
        var end = 0
        while let token = scanner.next() {
            switch token {
            case .text(let range), .template(let range):
                precondition(range.lowerBound >= end && !range.isEmpty && range.upperBound <= all.count)
                end = range.upperBound
            case .unclosed(let offset): precondition(offset >= end && offset < all.count)
            }
        }
    }
    let found = TemplateScanner.templates(in: all)
    guard let template = try? Template(text) else { return 0 }
    // Every template that fills in is one that colours.
    let expressions = template.parts.compactMap { if case .template(let expression) = $0 { expression } else { nil } }
    precondition(expressions.map(\.offset) == found.map(\.range.lowerBound))
    precondition(expressions.map(\.names) == found.map { $0.names ?? ["?"] })
    for expression in expressions {
        guard let again = (try? Template(expression.description))?.only else {
            // A text with both quotes, which no template can hold.
            preconditionFailure("\(expression) cannot be read again")
        }
        precondition(again.value == expression.value && again.kind == expression.kind)
    }
    return 0
}
