import OmbiCore

extension Hub {
    /// Writes an archive to a file while it arrives, whatever its size. The file is there when all of it has come.
    func download(_ archive: Archive, to file: URL) async throws {
        let stream = try await manager.stream(archive, retry: .hub)
        let sink = try FileSink(file)
        for try await piece in stream.body { try sink.append(piece) }
        try sink.finish()
    }
}
