/// A pattern on the first line, and a text behind it: matches are in order, in the text, found from either side, and the
/// same in all of it as in what is seen.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFinder(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 1 else { return 0 }
    let input = UnsafeBufferPointer(start: start + 1, count: min(count - 1, 1024))
    let lineEnd = input.firstIndex(of: 0x0A) ?? input.count
    let syntax = SearchPattern.Syntax.allCases[Int(start[0]) % 3]
    let rule = SearchPattern.Case.allCases[Int(start[0]) / 3 % 3]
    let source = String(decoding: input[..<lineEnd], as: UTF8.self)
    let pattern: SearchPattern
    do throws(PatternError) { pattern = try SearchPattern(source, syntax: syntax, case: rule) } catch {
        precondition(!error.reason.isEmpty && error.column > 0, "a mistake has a place")
        precondition(error.column <= source.unicodeScalars.count + 1, "the place is in the pattern")
        return 0
    }
    let text = Bytes(lineEnd < input.count ? Array(input[(lineEnd + 1)...]) : Array("aab foo_1\r\nbär".utf8))
    let finder = Finder(pattern)
    let matches = finder.matches(in: text, 0..<text.count)
    var end = 0
    for match in matches {
        precondition(
            match.lowerBound >= end && match.upperBound <= text.count && !match.isEmpty, "matches are in order")
        end = match.upperBound
    }
    precondition(finder.next(in: text, after: -1) == matches.first, "the first is the next of the start")
    precondition((finder.previous(in: text, before: text.count) == nil) == matches.isEmpty, "there is a last one")
    var index = MatchIndex(count: text.count, from: text.count / 2)
    while index.step(finder, in: text) {}
    precondition(index.found == matches.count, "as many are counted as there are")
    if let last = matches.last {
        precondition(index.number(ofMatchAt: last.lowerBound, in: text) == matches.count - 1, "the last has its number")
    }
    return 0
}
