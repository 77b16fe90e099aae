// Sources: Sources/OmbiBase Sources/OmbiDocument Sources/OmbiWorkspace/Capture/CaptureReader.swift
// Sources: Tests/Fuzz/Stubs/Response.swift
// Sources: Sources/OmbiCore/Cookies/Cookie.swift
// Sources: Sources/OmbiCore/Cookies/CookieRules.swift
// Sources: Sources/OmbiCore/Cookies/CookieStore.swift
// Sources: Sources/OmbiCore/Response/RetryAfter.swift Sources/OmbiCore/Manager/DurationText.swift

import FoundationEssentials

/// The expression of a capture in the first line, and a response in the rest: an expression that is read can be written down and read
/// again, and finds a value or says why not.
@_cdecl("LLVMFuzzerTestOneInput")
func captureFuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let end = bytes.firstIndex(of: 0x0A) ?? count
    let text = String(decoding: bytes[..<end], as: UTF8.self)
    guard let source = try? Capture.Source(text) else { return 0 }
    precondition((try? Capture.Source(source.text)) == source, "\(source.text) is read as it was written")
    let body = Data(bytes[min(end + 1, count)...])
    let value = String(decoding: body.prefix(200), as: UTF8.self)
    let headers = RequestHeaders(fields: [
        (.init("Set-Cookie"), .init(text: value)), (.init("X-Value"), .init(text: value)),
        (.contentType, .init(text: "application/json")),
    ])
    for body in [body, Data("{\"a\": [".utf8) + body + Data("]}".utf8)] {
        var reader = CaptureReader(TransportResponse(headers: headers, statusCode: 200, body: body))
        do throws(CaptureReader.Failure) { _ = try reader.value(of: source) } catch {
            precondition(!error.reason.isEmpty, "a failure has a reason")
        }
    }
    return 0
}
