import OmbiCore

/// The settings of a collection: its proxy and its client certificates.
extension BrunoReader {
    /// Takes the settings of `bruno.json`, or of the `config` of OpenCollection.
    mutating func configure(_ collection: inout Collection, _ value: ForeignValue?) {
        guard let value else { return }
        for environment in value["environments"]?.elements ?? [] {
            let rows = environment["variables"]?.brunoRows ?? []
            collection.environments.append(self.environment(environment["name"]?.text ?? "", rows))
        }
        if let proxy = value["proxy"] { setProxy(proxy, of: &collection) }
        let certificates = value["clientCertificates"]
        guard certificates?["enabled"]?.bool != false else { return }
        for certificate in (certificates?["certs"] ?? certificates)?.elements ?? [] {
            setCertificate(certificate, of: &collection)
        }
    }

    private mutating func setProxy(_ value: ForeignValue, of collection: inout Collection) {
        let proxy = value["config"] ?? value
        let host = proxy["hostname"]?.text ?? ""
        // `inherit` takes the proxy of the program.
        guard value["enabled"]?.bool != false, value["enabled"]?.string == nil, value["disabled"]?.bool != true,
            value["inherit"]?.bool != true, !host.isEmpty
        else { return }
        let port = proxy["port"]?.text ?? ""
        let credentials = proxy["auth"]
        let isAuthenticated = credentials?["enabled"]?.bool ?? (credentials?["disabled"]?.bool != true)
        var user = isAuthenticated ? credentials?["username"]?.text ?? "" : ""
        let password = credentials?["password"]?.text ?? ""
        if !user.isEmpty, !password.isEmpty {
            user += ":" + secret("proxyPassword", password, &collection.variables, at: proxy.offset)
        }
        let scheme = proxy["protocol"]?.text ?? "http"
        let server = host + (port.isEmpty ? "" : ":" + port)
        let url = template("\(scheme)://\(user.isEmpty ? "" : user + "@")\(server)", at: proxy.offset)
        do throws(FieldError) {
            try ConnectionText.checkProxy(url)
            var connection = collection.connection ?? SavedConnection()
            connection.proxy = url
            collection.connection = connection
        } catch {
            log.loss(proxy.offset, "proxy", "left out: \(error.message)")
        }
        if !(proxy["bypassProxy"]?.text ?? "").isEmpty {
            log.loss(proxy.offset, "bypassProxy", "the proxy is that of all hosts")
        }
    }

    /// Gives the certificate to the environments that have a URL on its domain: others may not see it.
    private mutating func setCertificate(_ value: ForeignValue, of collection: inout Collection) {
        let domain = value["domain"]?.text ?? ""
        let names = ["certFilePath", "certificateFilePath", "pfxFilePath", "pkcs12FilePath"]
        let file = names.lazy.compactMap { value[$0]?.text }.first { !$0.isEmpty } ?? ""
        guard !domain.isEmpty, !file.isEmpty else { return }
        var certificate = SavedCertificate(file: template(file, at: value.offset))
        let key = (value["keyFilePath"] ?? value["privateKeyFilePath"])?.text ?? ""
        if !key.isEmpty, !certificate.isPKCS12 { certificate.key = template(key, at: value.offset) }
        let password = value["passphrase"]?.text ?? ""
        var isUsed = false
        for index in collection.environments.indices
        where collection.environments[index].variables.contains(where: { Self.isURL($0.value, on: domain) }) {
            isUsed = true
            if !password.isEmpty {
                certificate.password = secret(
                    "certificatePassword", password, &collection.environments[index].variables, at: value.offset)
            }
            collection.environments[index].connection = SavedConnection { $0.clientCertificate = certificate }
        }
        guard !isUsed else { return }
        log.loss(
            value.offset, "client certificate for \(domain)".excerpted,
            "no environment has a URL on this domain; set \"clientCertificate\" of the right one")
    }

    private static func isURL(_ text: String, on domain: String) -> Bool {
        guard let mark = text.firstRange(of: "://"), text[mark.upperBound...].hasPrefix(domain) else { return false }
        let rest = text[mark.upperBound...].dropFirst(domain.count)
        return rest.isEmpty || ":/?#".contains(rest.first ?? "/")
    }

    /// Returns a template for a credential, which becomes a secret variable unless it is a template itself.
    private mutating func secret(
        _ name: String, _ value: String, _ variables: inout [Variable], at offset: Int
    ) -> String {
        guard !value.contains("{{") else { return template(value, at: offset) }
        secretNames.insert(name)
        if !variables.contains(where: { $0.name == name }) { variables.append(Field(name, value)) }
        return "{{\(name)}}"
    }

    // MARK: Exports

    /// The settings in the `root` of an exported collection or folder.
    mutating func exportedSettings(_ value: ForeignValue) -> SharedSettings {
        var scope = value["request"]?.exportedScope ?? BrunoScope()
        if scope.documentation.isEmpty { scope.documentation = value["docs"]?.string ?? "" }
        return settings(scope, at: value.offset)
    }

    mutating func noteOther(_ type: String?, at offset: Int) {
        log.loss(offset, (type ?? "item").excerpted, "left out: it is no request over HTTP")
    }
}
