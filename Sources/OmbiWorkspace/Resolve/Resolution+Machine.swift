import OmbiPlatform

/// Credentials of this machine and of its user: each is a source, and needs a grant like any other.
extension Resolution {
    /// Returns credentials completed with values of the machine. A file is read only for credentials that are sent.
    mutating func completed(
        _ credentials: PreparedCredentials, _ place: String
    ) throws(ResolveError) -> PreparedCredentials {
        switch credentials {
        case .netrc(let file): return .plain(try basic(ofNetrc: file, place))
        case .aws(let aws) where !aws.profile.isEmpty: return .aws(try withKeys(aws, place))
        case .connection(.negotiate):
            scope.sources.insert(.kerberos)
            return credentials
        case .plain, .digest, .aws, .oauth2, .connection: return credentials
        }
    }

    // MARK: .netrc

    private mutating func basic(ofNetrc file: String, _ place: String) throws(ResolveError) -> RequestAuthentication {
        let field = "authentication netrc" + place
        let path = file.isEmpty ? machinePath("NETRC", "~/.netrc") : file
        var login = (user: "", password: "")
        do throws(ResolveError) {
            login = try self.login(in: path, field)
        } catch {
            guard let standIn = scope.reader.standIn else { throw error }
            login = (standIn, standIn)
        }
        let basic = RequestAuthentication.basic(username: login.user, password: login.password)
        encodedCredentials.append(login.password)
        // Some services take a token as the user.
        if login.password.isEmpty || !SecretDetector.find(in: login.user, named: "login").isEmpty {
            encodedCredentials.append(login.user)
        }
        try check(basic, field)
        return basic
    }

    private mutating func login(
        in path: String, _ field: String
    ) throws(ResolveError) -> (user: String, password: String) {
        guard let text = try machineFile(path, field) else {
            throw error(field, "there is no file \(Words.path(path))")
        }
        let netrc: Netrc
        do throws(Netrc.Failure) { netrc = try Netrc(text) } catch {
            throw self.error(field, "\(Words.path(path)), line \(error.line): \(error.message)")
        }
        let server = URL(string: host)?.host() ?? ""
        guard !server.isEmpty, let entry = netrc.entry(of: server), entry.login != nil || entry.password != nil else {
            throw error(
                field,
                "\(Words.path(path)) has no entry for \(server.excerpt()); "
                    + "write there: machine \(server.excerpt()) login NAME password PASSWORD")
        }
        return (entry.login ?? "", entry.password ?? "")
    }

    // MARK: Profiles of AWS

    private mutating func withKeys(
        _ aws: PreparedCredentials.AWS, _ place: String
    ) throws(ResolveError) -> PreparedCredentials.AWS {
        let field = "authentication profile" + place
        var complete = aws
        // The same profile may have other keys for another environment of the process, and later.
        complete.profile = ""
        do throws(ResolveError) {
            let keys = try keys(of: aws, field, &complete.region)
            complete.accessKeyID = keys.accessKeyID
            complete.secretAccessKey = keys.secretAccessKey
            complete.sessionToken = keys.sessionToken
        } catch {
            guard let standIn = scope.reader.standIn else { throw error }
            (complete.accessKeyID, complete.secretAccessKey) = (standIn, standIn)
        }
        encodedCredentials += [complete.secretAccessKey, complete.sessionToken ?? ""]
        return complete
    }

    /// - Parameter region: The region of the request; set to the profile's if it is empty.
    private mutating func keys(
        of aws: PreparedCredentials.AWS, _ field: String, _ region: inout String
    ) throws(ResolveError) -> AWSProfiles.Keys {
        let paths: [AWSProfiles.File: String] = [
            .credentials: machinePath("AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials"),
            .config: machinePath("AWS_CONFIG_FILE", "~/.aws/config"),
        ]
        // The files are sources if the profile has something of them.
        let before = scope.takeSources()
        let profiles = AWSProfiles(
            credentials: try awsFile(paths[.credentials] ?? "", field), config: try awsFile(paths[.config] ?? "", field)
        )
        scope.sources = before
        let found: AWSProfiles.Found
        do throws(AWSProfiles.Failure) {
            found = try profiles.find(aws.profile, needsRegion: region.isEmpty)
        } catch {
            throw self.error(field, error.message)
        }
        for file in found.files {
            if let source = paths[file].flatMap({ Workspace.source($0, folder: folder) }) {
                scope.sources.insert(source)
            }
        }
        if region.isEmpty {
            guard let own = found.region else {
                throw error(field, "neither the request nor the profile \(Words.name(aws.profile)) has a region")
            }
            region = own
        }
        switch found.origin {
        case .keys(let keys): return keys
        case .cache(let name): return try cachedKeys(name, aws.profile, field)
        }
    }

    private mutating func awsFile(_ path: String, _ field: String) throws(ResolveError) -> AWSFile? {
        guard let text = try machineFile(path, field) else { return nil }
        do throws(AWSFile.Failure) { return try AWSFile(text) } catch {
            throw self.error(field, "\(Words.path(path)), line \(error.line): \(error.message)")
        }
    }

    /// The keys of a role that the AWS command line has cached; Ombi obtains none itself.
    private mutating func cachedKeys(
        _ name: String, _ profile: String, _ field: String
    ) throws(ResolveError) -> AWSProfiles.Keys {
        let text = try machineFile("~/.aws/cli/cache/" + name, field)
        let limit = Int64(Date().timeIntervalSince1970) + Self.leeway
        guard let keys = text.flatMap(AWSProfiles.Keys.init(cached:)),
            let end = keys.expiration.flatMap(TemplateTime.seconds(of:)), end > limit
        else {
            let option = "--profile " + ShellQuotes.word(profile)
            throw error(
                field,
                "the AWS command line has no valid keys of the role; run `aws sso login \(option)`, "
                    + "then `aws sts get-caller-identity \(option)`, which keeps them")
        }
        return keys
    }

    /// The shortest time in seconds for which keys must still hold.
    private static let leeway: Int64 = 60

    // MARK: Files

    /// The path in a variable of the environment, or else the usual one.
    private func machinePath(_ variable: String, _ usual: String) -> String {
        let path = scope.reader.environment(variable) ?? ""
        return path.isEmpty || path == scope.reader.standIn ? usual : path
    }

    /// Reads a file, which is a source unless it is one of the workspace. Nil for none.
    private mutating func machineFile(_ path: String, _ field: String) throws(ResolveError) -> String? {
        hasOpenedFiles = true
        let source = Workspace.sourceOfContent(path, folder: folder)
        let bytes: [UInt8]
        do throws(FileError) { bytes = try scope.reader.read(path, as: source) } catch {
            if error.isAbsence { return nil }
            throw self.error(field, "cannot read \(Words.path(path)): \(error.reason)")
        }
        guard bytes.count <= Self.maximumFileSize, let text = TextFile.text(of: bytes) else {
            throw error(field, "\(Words.path(path)) is larger than 1 MB, or not UTF-8 text")
        }
        if let source { scope.sources.insert(source) }
        return text
    }

    private static let maximumFileSize = 1 << 20
}

/// Credentials as this machine can send them and keeps them.
extension SavedAuthentication {
    /// A sentence about credentials that the libcurl of this system lacks, or that others can read; nil for none. Looks at
    /// the disk.
    func machineWarning(folder: String) -> String? {
        switch credentials?.machineNeed {
        case .scheme(let scheme): Self.lack(of: scheme)
        case .netrc(let file): Self.exposure(ofNetrc: file, folder: folder)
        case nil: nil
        }
    }

    /// The error of each request, without its remark on what was sent.
    static func lack(of scheme: ConnectionAuthentication.Scheme) -> String? {
        guard let message = CurlTransport.refusal(of: scheme)?.message else { return nil }
        let remark = "; nothing was sent"
        return message.hasSuffix(remark) ? String(message.dropLast(remark.count)) : message
    }

    /// - Parameter file: empty for the usual one. A path with templates may be any.
    static func exposure(ofNetrc file: String, folder: String) -> String? {
        guard !file.contains("{{") else { return nil }
        let own = getenv("NETRC").map { String(cString: $0) } ?? ""
        let named = file.isEmpty ? (own.isEmpty ? "~/.netrc" : own) : file
        let path = RelativePath.resolve(named, folder: folder)
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 else {
            return nil
        }
        let digits = String(status.st_mode & 0o777, radix: 8)
        return "others can read \(Words.path(path)) (mode \(digits)); chmod 600 keeps its passwords private"
    }
}
