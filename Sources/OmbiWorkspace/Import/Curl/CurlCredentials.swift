/// The credentials of a command, as authentication where that sends the same header.
extension CurlRequestReader {
    /// Takes the `Authorization` header from the headers if it can be authentication. It wins over the options, as in curl.
    mutating func credentials(
        _ headers: inout CurlHeaders, _ address: CurlAddress, at offset: Int
    ) -> SavedAuthentication? {
        let other = uncomputed
        if let other { log.loss(other, CurlOption.uncomputed) }
        if let line = headers.first("Authorization") {
            let authentication = headers.isRepeated("Authorization") ? nil : Self.authentication(line.value)
            if authentication != nil { headers.remove("Authorization") }
            noteSecret(authentication, line.argument.offset, "\(line.argument.written) \(line.name)")
            return authentication
        }
        // curl takes away what it has from the start, and not what it makes of a challenge.
        let challenged: [CurlOption.Part] = [.digest] + Self.ofConnections
        if headers.removed.contains("authorization"), !challenged.contains(where: operation.isOn) {
            let options: [CurlOption.Part] = [.oauth2Bearer, .user]
            let argument = options.compactMap { operation.last($0) }.first
            if argument != nil || address.user != nil {
                log.remark(
                    argument?.offset ?? offset, argument?.written ?? "\(address.user ?? ""):…@",
                    "not sent, as -H takes the Authorization header away")
            }
            return nil
        }
        if let argument = operation.last(.oauth2Bearer), let token = argument.value?.text {
            return noteSecret(.bearer(BearerAuthentication(token: token)), argument.offset, argument.written)
        }
        // Sent as Basic it would be in clear; curl waits for a challenge.
        if other != nil { return nil }
        if let argument = operation.last(.user), let text = argument.value?.text {
            let (user, password) = text.cut(at: UInt8(ascii: ":"))
            if password == nil, !operation.isOn(.negotiate) {
                log.loss(argument, "curl asks for the password; fill it in under Auth")
            }
            if let netrc { log.remark(netrc, "not read, as \(argument.written) has the user") }
            let authentication = authentication(user, password ?? "", &headers, address)
            return noteSecret(authentication, argument.offset, argument.written)
        }
        if let netrc { return authentication(ofNetrc: netrc) }
        guard let user = address.user else { return nil }
        let authentication = authentication(user, address.password ?? "", &headers, address)
        return noteSecret(authentication, offset, "\(user):…@")
    }

    /// The option for credentials that no kind computes: of several, curl picks one that the server offers.
    private var uncomputed: CurlArgument? {
        let ofConnections = Self.ofConnections.filter(operation.isOn)
        let others: [CurlOption.Part] = [.basic, .digest]
        let isChoice = ofConnections.count > 1 || !ofConnections.isEmpty && others.contains(where: operation.isOn)
        var parts: [CurlOption.Part] = [.anyauth, .ntlmHelper]
        if isChoice { parts += ofConnections }
        return parts.compactMap { operation.last($0) }.first(where: \.isOn)
    }

    private static let ofConnections: [CurlOption.Part] = [.negotiate, .ntlm]

    /// The option that has curl look up the host in a file; nil for none.
    private var netrc: CurlArgument? {
        let parts: [CurlOption.Part] = [.netrcFile, .netrc, .netrcOptional]
        return parts.compactMap { operation.last($0) }.first(where: \.isOn)
    }

    private mutating func authentication(ofNetrc argument: CurlArgument) -> SavedAuthentication? {
        let others: [CurlOption.Part] = [.digest, .negotiate, .ntlm, .awsSignature]
        guard !others.contains(where: operation.isOn) else {
            log.loss(argument, "Ombi sends the user of the file as Basic alone")
            return nil
        }
        return .netrc(NetrcAuthentication(file: operation.last(.netrcFile)?.value?.text ?? ""))
    }

    /// The credentials that curl makes of a name and a password.
    private mutating func authentication(
        _ user: String, _ password: String, _ headers: inout CurlHeaders, _ address: CurlAddress
    ) -> SavedAuthentication {
        if let argument = operation.last(.awsSignature), let scope = argument.value?.text {
            if let aws = signature(scope, user, password, &headers, address, argument) { return .aws(aws) }
        } else if operation.isOn(.negotiate) {
            return .negotiate(NegotiateAuthentication())
        } else if operation.isOn(.ntlm) {
            return .ntlm(Self.ntlm(user, password))
        } else if operation.isOn(.digest) {
            return .digest(DigestAuthentication(username: user, password: password))
        }
        return .basic(BasicAuthentication(username: user, password: password))
    }

    /// Reads `DOMAIN\USER`.
    private static func ntlm(_ user: String, _ password: String) -> NTLMAuthentication {
        guard let separator = user.firstIndex(where: { $0 == "\\" || $0 == "/" }) else {
            return NTLMAuthentication(username: user, password: password)
        }
        return NTLMAuthentication(
            username: String(user[user.index(after: separator)...]), password: password,
            domain: String(user[..<separator]))
    }

    /// Reads `aws:amz:REGION:SERVICE`. What is missing is in the host, as curl has it: `SERVICE.REGION.…`.
    private mutating func signature(
        _ scope: String, _ user: String, _ password: String, _ headers: inout CurlHeaders, _ address: CurlAddress,
        _ argument: CurlArgument
    ) -> AWSAuthentication? {
        let parts = scope.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts[0].lowercased() == "aws", parts.count < 2 || ["amz", "aws", ""].contains(parts[1].lowercased())
        else {
            log.loss(argument, "Ombi computes the signatures of AWS alone: aws:amz")
            return nil
        }
        let host = address.server.split(separator: "/").last.map(String.init) ?? ""
        let labels = host.prefix { $0 != ":" }.split(separator: ".").map(String.init)
        let region = parts.count > 2 && !parts[2].isEmpty ? parts[2] : labels.count > 2 ? labels[1] : ""
        let service = parts.count > 3 && !parts[3].isEmpty ? parts[3] : labels.count > 2 ? labels[0] : ""
        if region.isEmpty || service.isEmpty {
            log.loss(argument, "no region and no service in it or in the host; fill in Auth")
        }
        let token = headers.first("X-Amz-Security-Token")?.value ?? ""
        headers.remove("X-Amz-Security-Token")
        return AWSAuthentication(
            accessKeyID: user, secretAccessKey: password, sessionToken: token, region: region, service: service)
    }

    mutating func set(_ authentication: SavedAuthentication?, of request: inout SavedRequest) {
        guard var escaped = authentication else { return }
        for field in escaped.kind.descriptors where field.choices.isEmpty {
            // Texts of a command are never templates.
            try? field.write(&escaped, TemplateText.escaped(field.read(escaped)))
        }
        request.authentication = escaped
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
        let secret = authentication.flatMap { authentication in
            authentication.kind.descriptors.first(where: \.isSecret)?.read(authentication)
        }
        if let secret, !secret.isEmpty, TemplateText.names(in: secret).isEmpty {
            log.remark(offset, written, ImportNote.staying)
        }
        return authentication
    }
}
