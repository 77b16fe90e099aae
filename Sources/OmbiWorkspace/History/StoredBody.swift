extension SessionResult {
    /// The body in its stored form: without the secrets of the run and, in JSON, without values whose names mark them
    /// as secret. nil if there is none.
    package var maskedBody: Data? {
        var names = KnownNames()
        return receivedResponse.flatMap { masked(bodyOf: $0, isPart: response == nil, &names) }
    }

    /// The body of a response of the run in the same form.
    /// - Parameters:
    ///   - isPart: True for an interrupted one.
    ///   - names: Those of bodies before this one.
    func masked(bodyOf response: TransportResponse, isPart: Bool, _ names: inout KnownNames) -> Data? {
        guard let body = response.body else { return nil }
        var masked = isPart ? redactor.redact(part: body) : redactor.redact(body)
        if let mask = response.headers?.redirectMask {
            masked = isPart ? mask.redact(part: masked) : mask.redact(masked)
        }
        return JSONText.masked(masked, response[.contentType]?.text, &names)
    }

    /// The body of a redirect in its stored form; nil if it is not stored, because its text would reveal secrets of the
    /// target.
    func keptBody(of redirect: FollowedRedirect, _ names: inout KnownNames) -> Data? {
        guard LogMask.url(redirect.target) == redirect.target, !redirect.target.contains(LogMask.mask) else {
            return nil
        }
        return masked(bodyOf: redirect.response, isPart: redirect.isPartial, &names)
    }
}

extension Redactor {
    /// The stored form of a whole body.
    func stored(_ body: Data, _ contentType: String?, _ names: inout KnownNames) -> Data {
        JSONText.masked(redact(body), contentType, &names)
    }
}

/// Recognises JSON by its type or its first character.
private enum JSONText {
    /// Returns a body without the values of sensitive members, if it is JSON.
    static func masked(_ body: Data, _ contentType: String?, _ names: inout KnownNames) -> Data {
        mayBe(body, contentType) ? LogMask.json(body, &names) : body
    }

    private static func mayBe(_ body: Data, _ contentType: String?) -> Bool {
        if let contentType, namesJSON(contentType) { return true }
        guard contentType == nil else { return false }
        let first = body.first { !$0.isSpace }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Compares bytes, as it is asked of each response.
    private static func namesJSON(_ contentType: String) -> Bool {
        var contentType = contentType
        return contentType.withUTF8 { bytes in
            var last: UInt32 = 0
            for byte in bytes {
                last = last << 8 | UInt32(byte | 0x20)
                if last == 0x6A73_6F6E { return true }
            }
            return false
        }
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
