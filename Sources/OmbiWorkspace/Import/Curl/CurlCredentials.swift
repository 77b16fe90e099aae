import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The credentials of a command, as authentication where that sends the same header.
extension CurlRequestReader {
    /// Takes the `Authorization` header from the headers if it can be authentication. It wins over the options, as in curl.
    mutating func credentials(
        _ headers: inout CurlHeaders, _ address: CurlAddress, at offset: Int
    ) -> SavedAuthentication? {
        if let line = headers.first("Authorization") {
            let authentication = Self.authentication(line.value)
            if authentication != nil { headers.remove("Authorization") }
            noteSecret(authentication, line.argument.offset, "\(line.argument.written) \(line.name)")
            return authentication
        }
        if let argument = operation.last(.oauth2Bearer), let token = argument.value?.text {
            return noteSecret(.bearer(BearerAuthentication(token: token)), argument.offset, argument.written)
        }
        if let argument = operation.last(.user), let text = argument.value?.text {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if parts.count == 1 {
                log.loss(argument.offset, argument.written, "curl asks for the password; fill it in under Auth")
            }
            let basic = BasicAuthentication(username: parts[0], password: parts.count > 1 ? parts[1] : "")
            return noteSecret(.basic(basic), argument.offset, argument.written)
        }
        guard let user = address.user else { return nil }
        let basic = BasicAuthentication(username: user, password: address.password ?? "")
        return noteSecret(.basic(basic), offset, "\(user):…@")
    }

    mutating func set(_ authentication: SavedAuthentication?, of request: inout SavedRequest) {
        switch authentication {
        case .bearer(var bearer):
            bearer.token = TemplateText.escaped(bearer.token)
            request.authentication = .bearer(bearer)
        case .basic(var basic):
            basic.username = TemplateText.escaped(basic.username)
            basic.password = TemplateText.escaped(basic.password)
            request.authentication = .basic(basic)
        case .apiKey, .digest, .oauth2, .aws, .noAuthentication, nil: break
        }
    }

    /// Nil for a value that would be sent in another form.
    private static func authentication(_ value: String) -> SavedAuthentication? {
        if value.hasPrefix("Bearer "), value.dropFirst(7).first != " ", value.count > 7 {
            return .bearer(BearerAuthentication(token: String(value.dropFirst(7))))
        }
        guard value.hasPrefix("Basic "), let data = Data(base64Encoded: String(value.dropFirst(6))),
            let text = String(validating: data, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        let basic = BasicAuthentication(
            username: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
        let sent = RequestAuthentication.basic(username: basic.username, password: basic.password).headerValue?.text
        return sent == value ? .basic(basic) : nil
    }

    @discardableResult
    private mutating func noteSecret(
        _ authentication: SavedAuthentication?, _ offset: Int, _ written: String
    ) -> SavedAuthentication? {
        let secret: String? =
            switch authentication {
            case .bearer(let bearer): bearer.token
            case .basic(let basic): basic.password
            case .apiKey, .digest, .oauth2, .aws, .noAuthentication, nil: nil
            }
        if let secret, !secret.isEmpty, TemplateText.names(in: secret).isEmpty {
            log.remark(
                offset, written, "in the request now; move it to a secret before saving")
        }
        return authentication
    }
}
