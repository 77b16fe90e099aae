/// A regular expression on the first line, and a text behind it: what matches all of a text is found in it, too.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzIRegexp(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = UnsafeBufferPointer(start: start, count: min(count, 512))
    let end = input.firstIndex(of: 0x0A) ?? input.count
    guard let expression = IRegexp(String(decoding: input[..<end], as: UTF8.self)) else { return 0 }
    let text = end < input.count ? Array(input[(end + 1)...]) : Array("aab".utf8)
    if expression.matches(text, isWhole: true) {
        precondition(expression.matches(text, isWhole: false), "what matches as a whole is found")
    }
    return 0
}
