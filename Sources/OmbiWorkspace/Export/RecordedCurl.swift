import OmbiCore

extension RecordedRun {
    /// The headers that curl writes itself.
    private static let implied: Set<String> = ["content-length", "host", "connection", "accept-encoding", "user-agent"]

    /// The command of curl that sends the request as it was recorded, for bash and zsh; secrets stay masked. Nil for a run
    /// that could not be prepared.
    public var curlCommand: String? {
        guard let request = result.prepared else { return nil }
        var line = CurlLine(method: request.method, url: request.url)
        line.headers = request.headers.filter { !Self.implied.contains($0.name.lowercased()) }.map {
            ($0.name, $0.value)
        }
        line.body = request.namesFiles ? nil : request.body.flatMap { $0.isEmpty ? nil : .text($0) }
        line.verifiesTLS = request.verifiesTLS
        line.followsRedirects = !request.redirects.isEmpty
        return (request.namesFiles ? "# without its body, which was read from files\n" : "") + line.text
    }
}
