import OmbiCore

/// The connection of a request, from the options of curl.
extension CurlRequestReader {
    func connection() throws(ImportError) -> SavedConnection? {
        var connection = SavedConnection()
        if let limit = operation.last(.connectTimeout), try number(limit) > 0 {
            connection.connectTimeout = .seconds(try number(limit))
        }
        try readProxy(&connection)
        readTrust(&connection)
        if let limit = operation.last(.maximumRedirects), try number(limit) >= 0 {
            connection.maximumRedirects = Int(min(1000, try number(limit)))
        }
        connection.unixSocket = text(.unixSocket)
        try readAddresses(&connection)
        readVersions(&connection)
        if let rate = operation.last(.limitRate) {
            guard let bytes = Self.bytes(rate.value?.text ?? "") else {
                throw log.error(rate.offset, "\(rate.written) takes bytes per second, such as 100k")
            }
            (connection.maximumReceiveRate, connection.maximumSendRate) = (bytes, bytes)
        }
        return connection == SavedConnection() ? nil : connection
    }

    private func text(_ part: CurlOption.Part) -> String? {
        operation.last(part)?.value.map { TemplateText.escaped($0.text) }
    }

    private func readProxy(_ connection: inout SavedConnection) throws(ImportError) {
        guard let argument = operation.last(.proxy), let value = argument.value?.text else { return }
        if value.isEmpty { return connection.proxy = ConnectionText.none }
        var proxy = value.contains("://") ? value : "http://" + value
        if let user = operation.last(.proxyUser)?.value?.text, let mark = proxy.firstRange(of: "://") {
            let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            proxy.insert(
                contentsOf: parts.map { PercentEncoding.escape(String($0)) }.joined(separator: ":") + "@",
                at: mark.upperBound)
        }
        do throws(FieldError) { try ConnectionText.checkProxy(proxy) } catch {
            throw log.error(argument.offset, "\(argument.written): \(error.message)")
        }
        // curl's own port.
        let authority = proxy.suffix(from: proxy.firstRange(of: "://")?.upperBound ?? proxy.startIndex)
        let host = authority.split(separator: "@").last.map(String.init) ?? ""
        let hasPort = host.split(separator: "]").last?.contains(":") ?? false
        while proxy.hasSuffix("/") { proxy.removeLast() }
        connection.proxy = hasPort || proxy.hasPrefix("socks") ? proxy : proxy + ":1080"
    }

    private func readTrust(_ connection: inout SavedConnection) {
        connection.caFile = text(.caFile)
        if let file = text(.certificate) {
            // A path with a colon in it is written with a backslash.
            let parts = file.split(separator: ":", maxSplits: 1).map(String.init)
            connection.clientCertificate = SavedCertificate(
                file: parts.first ?? file, key: text(.key),
                password: text(.pass) ?? (parts.count > 1 ? parts[1] : nil))
        }
        if let pins = operation.last(.pins)?.value?.text {
            let list = pins.split(separator: ";").map(String.init)
            if list.allSatisfy({ (try? ConnectionText.checkPin($0)) != nil }) { connection.pins = list }
        }
    }

    private func readAddresses(_ connection: inout SavedConnection) throws(ImportError) {
        guard let argument = operation.last(.resolve), let value = argument.value?.text else { return }
        do throws(FieldError) { try ConnectionText.checkAddress(value) } catch {
            throw log.error(argument.offset, "\(argument.written): \(error.message)")
        }
        connection.resolve = [value]
    }

    private func readVersions(_ connection: inout SavedConnection) {
        let versions: [(CurlOption.Part, Connection.HTTPVersion)] = [
            (.http1, .http1), (.http2, .http2), (.http2PriorKnowledge, .http2PriorKnowledge), (.http3, .http3),
        ]
        connection.httpVersion = latest(of: versions)
        connection.addressFamily = latest(of: [(.ipv4, .ipv4), (.ipv6, .ipv6)])
        connection.minimumTLS = latest(
            of: [(.tls1_0, .v1_0), (.tls1_1, .v1_1), (.tls1_2, .v1_2), (.tls1_3, .v1_3)])
    }

    /// The value of the option that comes last.
    private func latest<Value>(of options: [(CurlOption.Part, Value)]) -> Value? {
        options.compactMap { part, value in operation.last(part).map { ($0.offset, value) } }.max { $0.0 < $1.0 }?.1
    }

    /// Reads `100k`, `2M`; nil for another text.
    private static func bytes(_ text: String) -> Int? {
        let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "b": 1]
        let unit = text.lowercased().last.flatMap { units[$0] }
        guard let number = Double(unit == nil ? text : String(text.dropLast())), number > 0, number < 1e12 else {
            return nil
        }
        return max(1, Int(number * Double(unit ?? 1)))
    }
}
