import Foundation

/// The authorization server of `Peers/oauth_server.py`, made of Authlib and Flask from the packages of the system.
public enum Authlib {
    public static var isInstalled: Bool { python != nil }
    public static let hint: String = "Authlib is not installed: apt-get install python3-authlib python3-flask"

    private static let python = ChildProgram.find("python3").flatMap { python in
        let isThere = ["authlib", "flask"].allSatisfy {
            FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/\($0)")
        }
        return isThere ? python : nil
    }

    /// Starts one. Its clients are `confidential`, with the secret `s3cret`, and `public`.
    public static func server() throws -> ServerProcess {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "OmbiAuthenticationTests/Peers/oauth_server.py").path
        return try ServerProcess(python ?? "python3", [script])
    }
}
