// Sources: Sources/OmbiCore/Authentication/AuthenticationChallenge.swift Sources/OmbiCore/Request/PercentEncoding.swift Sources/OmbiBase/StringProtocol+Bytes.swift

/// Fields of a 401: whatever they are, what is read from one can be written down and read again.
@_cdecl("LLVMFuzzerTestOneInput")
func challengeFuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let field = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    _ = AuthenticationChallenge.parameters(field)
    for challenge in AuthenticationChallenge.parse(field) {
        precondition(!challenge.scheme.isEmpty)
        precondition(challenge.token == nil || challenge.parameters.isEmpty)
        guard challenge.token == nil, !challenge.parameters.isEmpty else { continue }
        let written = challenge.parameters.map { name, value in
            let quoted = value.utf8.flatMap { [0x22, 0x5C].contains($0) ? [0x5C, $0] : [$0] }
            return "\(name)=\"\(String(decoding: quoted, as: UTF8.self))\""
        }
        let again = AuthenticationChallenge.parse("\(challenge.scheme) \(written.joined(separator: ", "))")
        precondition(again == [challenge])
    }
    return 0
}
