import OmbiCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Credentials as this machine can send them and keeps them.
extension SavedAuthentication {
    /// A sentence about credentials that the libcurl of this system lacks, or that others can read; nil for none. Looks at
    /// the disk.
    func machineWarning(folder: String) -> String? {
        switch self {
        case .ntlm: Self.lack(of: .ntlm(username: "", password: ""))
        case .negotiate: Self.lack(of: .negotiate)
        case .netrc(let netrc): Self.exposure(ofNetrc: netrc.file, folder: folder)
        case .bearer, .basic, .apiKey, .digest, .oauth2, .aws, .noAuthentication: nil
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
