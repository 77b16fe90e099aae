import OmbiCore

struct Asset: Decodable, Sendable, Equatable {
    let id: Int
    let name: String
    let size: Int
}

/// Adds a file to a release, as a form that is read while it is sent.
struct UploadAsset: HubRequest {
    typealias RequestBody = MultipartForm
    typealias ResponseBody = Asset

    let repository: RepositoryName
    let release: Int
    let body: MultipartForm
    let uploadProgress: @Sendable (TransferProgress) -> Void

    init(
        _ file: URL, label: String, release: Int, of repository: RepositoryName,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) throws {
        self.repository = repository
        self.release = release
        body = MultipartForm(parts: [.init(value: label, name: "label"), try .init(fileURL: file, name: "asset")])
        uploadProgress = progress
    }

    var path: String { "\(repository.path)/releases/\(release)/assets" }
    let method = RequestMethod.post
}
