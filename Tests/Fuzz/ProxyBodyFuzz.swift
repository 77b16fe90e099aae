// Sources: Sources/OmbiTUI/Record/ProxyBody.swift Tests/Fuzz/Stubs/ProxyHead.swift

private struct Outcome: Equatable {
    var body: [UInt8] = []
    /// The bytes behind the body.
    var rest: [UInt8] = []
    var isComplete = false
    var isRefused = false
}

private func outcome(of bytes: [UInt8], _ framing: ProxyHead.Framing, portion: Int) -> Outcome {
    var body = ProxyBody(framing)
    var outcome = Outcome()
    var (waiting, input): (ArraySlice<UInt8>, ArraySlice<UInt8>) = ([], bytes[...])
    do throws(ProxyHead.Problem) {
        while !input.isEmpty {
            waiting += input.prefix(portion)
            input = input.dropFirst(portion)
            outcome.body += try body.take(&waiting)
        }
    } catch {
        // In portions some of the body has come already.
        return Outcome(isRefused: true)
    }
    outcome.rest = Array(waiting)
    outcome.isComplete = body.isComplete
    precondition(body.size == outcome.body.count, "each byte is counted once")
    return outcome
}

/// Bodies of requests to a proxy: they end at the same byte in any portions, and what was read of them is read again when
/// it is sent in chunks.
@_cdecl("LLVMFuzzerTestOneInput")
func proxyBodyFuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    let portion = Int(start[0] & 15) + 1
    let framing: ProxyHead.Framing = start[0] & 0x80 == 0 ? .chunked : .length(Int(start[0] & 0x7F))
    let whole = outcome(of: bytes, framing, portion: bytes.count)
    precondition(whole == outcome(of: bytes, framing, portion: portion), "portions change nothing")
    guard whole.isComplete else {
        precondition(whole.rest.isEmpty, "nothing is behind a body that has not ended")
        return 0
    }
    var (chunks, left): ([UInt8], ArraySlice<UInt8>) = ([], whole.body[...])
    while !left.isEmpty {
        let piece = left.prefix(portion)
        chunks += Array((String(piece.count, radix: 16) + "\r\n").utf8) + piece + [0x0D, 0x0A]
        left = left.dropFirst(portion)
    }
    let again = outcome(of: chunks + Array("0\r\n\r\n".utf8) + whole.rest, .chunked, portion: 7)
    precondition(again == whole, "a body in chunks is the same")
    return 0
}
