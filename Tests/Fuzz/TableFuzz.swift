/// Any bytes as CSV, TSV, form data and events: the same in one go and in portions, and every piece is in the text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTable(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 1 else { return 0 }
    let bytes = Bytes(UnsafeBufferPointer(start: start + 1, count: count - 1))
    let cuts = ends(of: bytes.count, seed: start[0])
    table(bytes, separator: [UInt8(ascii: ","), 0x09, UInt8(ascii: ";")][Int(start[0]) % 3], cuts)
    events(bytes, cuts)
    var form = FormIndex()
    for end in cuts { form.extend(over: bytes[0..<end]) }
    form.extend(over: bytes)
    for field in form.fields {
        precondition(field.name.upperBound <= field.value.lowerBound && field.value.upperBound <= bytes.count)
        _ = (FormField.text(field.name, in: bytes), FormField.text(field.value, in: bytes))
    }
    return 0
}

private func table(_ bytes: Bytes, separator: UInt8, _ cuts: [Int]) {
    let whole = TableIndex(bytes, separator: separator)
    var parts = TableIndex(separator: separator)
    for end in cuts { parts.extend(over: bytes[0..<end], isComplete: false) }
    parts.extend(over: bytes, isComplete: true)
    let rowCount = whole.rowCount(in: bytes)
    precondition(parts.rowCount(in: bytes) == rowCount, "as many rows in portions")
    var end = 0
    for row in 0..<min(200, rowCount) {
        guard let range = whole.range(of: row, in: bytes) else { preconditionFailure("a row is somewhere") }
        precondition(range == parts.range(of: row, in: bytes), "the same row in portions")
        precondition(range.lowerBound >= end && range.upperBound <= bytes.count, "rows are in order")
        end = range.upperBound
        precondition(whole.row(at: range.lowerBound, in: bytes) == row, "a row is found at its first byte")
        var cellEnd = range.lowerBound
        for cell in whole.cells(of: range, in: bytes) {
            precondition(cell.range.lowerBound >= cellEnd && cell.range.upperBound <= range.upperBound, "cells too")
            cellEnd = cell.range.upperBound
            _ = cell.text(in: bytes)
        }
    }
    precondition(whole.openQuote(in: bytes) == parts.openQuote(in: bytes), "the same mistake in portions")
    _ = TableShape(whole, in: bytes)
}

private func events(_ bytes: Bytes, _ cuts: [Int]) {
    var (whole, parts) = (EventIndex(), EventIndex())
    whole.extend(over: bytes, isComplete: true)
    for end in cuts { parts.extend(over: bytes[0..<end], isComplete: false) }
    parts.extend(over: bytes, isComplete: true)
    precondition(whole.events == parts.events, "the same events in portions")
    precondition(whole.unfinished(in: bytes) == parts.unfinished(in: bytes), "the same rest in portions")
    var end = 0
    for event in whole.events {
        precondition(event.lowerBound >= end && event.upperBound <= bytes.count, "events are in order")
        end = event.upperBound
        _ = ServerEvent(in: bytes, event)
    }
}
