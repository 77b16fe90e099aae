/// The folder `.insomnia` of a Git repository, in which each resource of format 4 is a file.
enum InsomniaFolder {
    private static let subfolder = ".insomnia"

    static func recognizes(_ folder: ImportFolder) -> Bool {
        folder.hasFolder(subfolder) || folder.name == subfolder && folder.hasFolder("Workspace")
    }

    static func read(_ folder: ImportFolder) throws(ImportError) -> Imported {
        guard let root = folder.name == subfolder ? folder : folder.folder(subfolder) else {
            throw ImportLog([]).error(0, "the folder .insomnia is outside of this one")
        }
        var files = ForeignFiles()
        files.read(root) { $0.hasSuffix(".yml") || $0.hasSuffix(".yaml") }
        guard !files.values.isEmpty else { throw files.failure("there is no resource of Insomnia in this folder") }
        let resources = files.values.map { file in
            var resource = ForeignTree(file.value)
            let type = file.value["type"]?.string ?? file.path.split(separator: "/").first.map(String.init) ?? ""
            resource["_type"] = ForeignTree(Self.types[type] ?? type.lowercased(), at: file.value.offset)
            return resource
        }
        let list = try ForeignTree(.list(resources), at: 0).value(files.log)
        var reader = InsomniaReader(log: files.log)
        return try reader.collection(list.elements, named: folder.name)
    }

    private static let types = [
        "Workspace": "workspace", "RequestGroup": "request_group", "Request": "request", "Environment": "environment",
        "CookieJar": "cookie_jar", "GrpcRequest": "grpc_request", "WebSocketRequest": "websocket_request",
        "ApiSpec": "api_spec", "UnitTest": "unit_test", "UnitTestSuite": "unit_test_suite", "ProtoFile": "proto_file",
    ]
}
