// Sources: Sources/OmbiCore/WebSocket/Frames/FrameDecoder.swift Sources/OmbiCore/WebSocket/Frames/FrameHeader.swift
import FoundationEssentials

private struct Outcome: Equatable {
    var items: [FrameDecoder.Item] = []
    var violation: FrameViolation?
}

private func outcome(of bytes: UnsafeRawBufferPointer, portion: Int) -> Outcome {
    var decoder = FrameDecoder(limits: FrameDecoder.Limits(frame: 2000, message: 3000))
    var outcome = Outcome()
    var rest = bytes[...]
    do throws(FrameViolation) {
        while !rest.isEmpty {
            let piece = rest.prefix(portion)
            rest = rest.dropFirst(portion)
            try decoder.decode(UnsafeRawBufferPointer(rebasing: piece), into: &outcome.items)
        }
    } catch {
        outcome.violation = error
    }
    return outcome
}

/// Frames of a server: they come to the same in any portions, keep the limits, and what a client sends is read back
/// when its masks are taken off.
@_cdecl("LLVMFuzzerTestOneInput")
func frameFuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let portion = Int(bytes[0] & 15) + 1
    let rest = UnsafeRawBufferPointer(start: bytes + 1, count: count - 1)
    let whole = outcome(of: rest, portion: rest.count)
    precondition(whole == outcome(of: rest, portion: portion))
    for item in whole.items {
        switch item {
        case .text(let text): precondition(text.utf8.count <= 3000)
        case .binary(let data): precondition(data.count <= 3000)
        case .ping(let data), .pong(let data): precondition(data.count <= 125)
        case .close(let code, let reason):
            precondition(reason.utf8.count <= 123 && code.map(FrameDecoder.isCloseCode) != false)
        }
    }
    // The mask lies in front of the payload, which is behind a header of 2, 4 or 10 bytes.
    var unmasked = FrameEncoder.frame(.binary, rest, mask: 0)
    let header = rest.count < 126 ? 2 : rest.count < 65_536 ? 4 : 10
    unmasked[1] &= 0x7F
    unmasked.removeSubrange(header..<(header + 4))
    let again = unmasked.withUnsafeBytes { outcome(of: $0, portion: 7) }
    precondition(rest.count > 2000 ? again.violation?.code == .messageTooBig : again.items == [.binary(Data(rest))])
    return 0
}
