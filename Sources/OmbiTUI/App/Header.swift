/// The line over the panes: the path of the request, its environment and host, and the number of runs.
struct Header: Equatable, Sendable {
    /// From the collection down to the request.
    var path: [String] = []
    var isDirty = false
    /// True while the collections are hidden.
    var hidesTree = false
    /// Nil when no collection is selected.
    var environment: Environment?
    /// The name of the environment in use that the file has no more.
    var missingEnvironment: String?
    /// The URL that the request goes to; nil for one below the host of the environment.
    var address: String?
    /// The address that requests to a server are kept to; nil for none.
    var onlyAddress: OnlyAddress?
    var hasEnvironments = false
    var runs = 0
    /// The time that the terminal takes to show a frame.
    var lag = Duration.zero

    private static let separator = " › "

    func draw(on surface: inout Surface, in rect: Rect) {
        surface.fill(rect, style: .plain)
        let right = parts(columns: rect.columns)
        drawPath(on: &surface, in: rect.dropRight(right.columns + 1))
        var pen = Pen(rect.right(right.columns))
        for part in right { pen.write(part.text, Style(part.role, part.isBold ? .bold : []), on: &surface) }
    }

    func isEnvironment(column: Int, in rect: Rect) -> Bool {
        let parts = parts(columns: rect.columns)
        guard let first = parts.first, hasEnvironments else { return false }
        let start = rect.columns - parts.columns
        return (start..<start + TextWidth.of(first.text)).contains(column - rect.column)
    }

    /// Returns true for a click on the way back to the requests.
    func isWayBack(column: Int, in rect: Rect) -> Bool {
        hidesTree && (1...Self.list.count).contains(column - rect.column)
    }

    private static let list = "1 Requests"

    private func drawPath(on surface: inout Surface, in rect: Rect) {
        var pen = Pen(rect)
        pen.skip(1)
        if hidesTree { pen.write(Self.list + Self.separator, Style(.dim), on: &surface) }
        let mark = isDirty ? " ●" : ""
        let room = pen.left - TextWidth.of(mark)
        // The end of a long path says more than its start.
        var parents = path.dropLast().map { $0 + Self.separator }
        let name = path.last ?? ""
        while !parents.isEmpty, parents.reduce(TextWidth.of(name), { $0 + TextWidth.of($1) }) > room {
            parents.removeFirst()
        }
        for parent in parents { pen.write(parent, Style(.dim), on: &surface) }
        pen.write(name, Style(.plain), on: &surface, keeping: TextWidth.of(mark))
        pen.write(mark, Style(.warning), on: &surface)
    }

    fileprivate struct Part {
        var text: String
        var role: Role
        var isBold = false
    }

    /// The parts at the right, as many as leave half of the line to the path; a third, where a host must be known.
    private func parts(columns: Int) -> [Part] {
        var parts: [Part] = []
        if let missingEnvironment {
            parts.append(Part(text: " \(missingEnvironment) is gone ▾ ", role: .warning, isBold: true))
        } else if hasEnvironments {
            let role: Role = environment?.protected ?? false ? .production : .info
            let word = environment?.protected ?? false ? " protected" : ""
            parts.append(Part(text: " \(environment?.name ?? "no environment")\(word) ▾ ", role: role, isBold: true))
        }
        let server = (address ?? environment?.host).map { Self.authority(of: Credentials.masked(url: $0)) }
        if let server { parts.append(Part(text: " \(server) ", role: .dim)) }
        if let onlyAddress {
            // Another server is sent to as before.
            let own = onlyAddress.server
            let isShown = ["", ":80", ":443"].contains { (server ?? "") + $0 == own }
            parts.append(Part(text: " \(isShown ? "" : own + " ")only \(onlyAddress.address) ", role: .warning))
        }
        if !verifiesTLS { parts.append(Part(text: " TLS not verified ", role: .warning)) }
        if runs > 0 { parts.append(Part(text: " ↻ \(runs) ", role: .running)) }
        if lag > .zero { parts.append(Part(text: " screen lag \(TimeText.duration(lag)) ", role: .warning)) }
        let room = environment?.protected ?? false ? columns * 2 / 3 : columns / 2
        if parts.columns > room { parts.removeAll { $0.role == .dim } }
        return parts
    }

    /// False where the request goes to an environment with certificates that nobody checks.
    private var verifiesTLS: Bool {
        guard let environment, !environment.verifyTLS else { return true }
        let target = address ?? environment.host
        let isOwn =
            environment.host.contains("{{") || Self.authority(of: target) == Self.authority(of: environment.host)
        return !isOwn || target.hasPrefix("http://") || target.hasPrefix("ws://")
    }

    /// The part of a URL between its scheme and its path.
    private static func authority(of url: String) -> String {
        guard let scheme = url.firstIndex(of: "/"), url[scheme...].hasPrefix("//") else {
            return String(url.prefix { $0 != "/" && $0 != "?" })
        }
        return String(url[scheme...].dropFirst(2).prefix { $0 != "/" && $0 != "?" })
    }
}

extension [Header.Part] {
    fileprivate var columns: Int { reduce(0) { $0 + TextWidth.of($1.text) } }
}
