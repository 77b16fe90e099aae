import OmbiCore

/// The values that a load script takes from its process, from responses and from rows of data.
struct LoadValues {
    struct Captured {
        /// Scheme, host and port of the request that captures it.
        var origin: String
        var isSecret: Bool
    }

    /// The names of the columns of a file of data.
    let columns: Set<String>
    /// The values that earlier requests capture.
    var captured: [String: Captured] = [:]
    /// The values of the variables of the process, by name.
    private(set) var environment: [String: String] = [:]

    init(columns: Set<String>) { self.columns = columns }

    /// Returns a value as a variable of the process. Its name begins with that of Ombi, so that no collection sets a
    /// variable which means something to the engine.
    mutating func variable(_ text: String, named name: String) -> String {
        let plain = name.unicodeScalars.map { scalar -> String in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? "\(scalar)" : "_"
        }
        let wanted = "OMBI_VALUE_" + plain.joined().uppercased()
        var (unique, number) = (wanted, 1)
        while let known = environment[unique], known != text {
            number += 1
            unique = "\(wanted)_\(number)"
        }
        environment[unique] = text
        return unique
    }
}

/// Fills the texts of one request in for a script: what is known is text, secrets are variables of the process, and
/// captured values and those of a row variables of the script.
struct LoadFiller {
    /// Scheme, host and port.
    let origin: String
    private let order: RunOrder
    private let scope: CapturedScope
    private let overridden: Set<String>
    private var resolution: Resolution

    init(order: RunOrder, resolver: Resolver, scope: CapturedScope, host: String) {
        (self.order, self.scope) = (order, scope)
        overridden = Set(resolver.overrides.variables.map(\.name))
        resolution = Resolution(
            request: order.request, environment: order.chosenEnvironment, folder: order.folder,
            scope: resolver.scope(order.inheritance, of: order.request.variables))
        let parts = host.lowercased().split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        origin = parts.prefix(3).joined(separator: "/")
    }

    private func isDynamic(_ name: String) -> Bool {
        (scope.values[name]?.isSample ?? false) && !overridden.contains(name)
    }

    private func error(_ field: String, _ reason: String) -> ResolveError {
        ResolveError(request: order.request.name, field: field, reason: reason)
    }

    mutating func fill(_ text: inout ExportText, _ values: inout LoadValues) throws(ResolveError) {
        try text.replaceValues { value throws(ResolveError) in try piece(of: value, &values) }
    }

    private mutating func piece(
        of value: ExportValue, _ values: inout LoadValues
    ) throws(ResolveError) -> ExportText.Piece {
        let expression: TemplateExpression
        switch value.source {
        case .secret(let text): return try secret(text, value, &values)
        case .template(let template): expression = template
        }
        if case .variable(let name) = expression.value, isDynamic(name) {
            try check(name, values)
            var value = value
            value.name = name
            return .value(value)
        }
        let filled = try resolution.fill(expression.description, "load script")
        let isComputed = expression.names.contains(where: isDynamic)
        if isComputed || scope.values.keys.contains(where: { isDynamic($0) && filled.contains("{{\($0)}}") }) {
            throw error(
                value.template,
                "it is computed from a captured value or a row of data, which a script cannot; "
                    + "write the value itself, or send it with ombi run")
        }
        let isSecret =
            resolution.redactor.redact(filled) != filled
            || !SecretDetector.find(in: filled, named: value.name).isEmpty
        return isSecret ? try secret(filled, value, &values) : .text(filled)
    }

    private func secret(
        _ text: String, _ value: ExportValue, _ values: inout LoadValues
    ) throws(ResolveError) -> ExportText.Piece {
        guard !text.utf8.contains(0) else {
            throw error(value.braces, "it has a byte 0, which no variable of a process can have")
        }
        var variable = ExportValue(secret: "", named: values.variable(text, named: value.name))
        variable.encoding = value.encoding
        return .value(variable)
    }

    private func check(_ name: String, _ values: LoadValues) throws(ResolveError) {
        guard !values.columns.contains(name) else { return }
        guard let captured = values.captured[name] else {
            throw error("{{\(name)}}", "a script cannot capture it from the response; ombi run can")
        }
        guard !captured.isSecret || captured.origin == origin else {
            throw error("{{\(name)}}", "it is a secret of another server, which a script does not send elsewhere")
        }
    }

    /// Throws for an address whose host is not known before.
    func checkHost(_ url: ExportText) throws(ResolveError) {
        var slashes = 0
        for piece in url.pieces {
            switch piece {
            case .text(let text): slashes += text.count { $0 == "/" }
            case .value(let value):
                guard slashes < 3, case .template = value.source else { break }
                throw error("path", "\(value.braces) would decide the host; ombi run sends it")
            }
            if slashes >= 3 { return }
        }
    }

    /// Makes the paths of files absolute.
    func findFiles(_ request: inout ExportedRequest) throws(ResolveError) {
        switch request.body {
        case .file(let path): request.body = .file(try absolute(path))
        case .multipart(var parts):
            for index in parts.indices {
                if let file = parts[index].file { parts[index].file = try absolute(file) }
            }
            request.body = .multipart(parts)
        case .text, .form, nil: break
        }
    }

    private func absolute(_ path: ExportText) throws(ResolveError) -> ExportText {
        guard let plain = path.plain else { throw error("body", "the path of a file is not known before it is sent") }
        let place = RelativePath.resolve(plain, folder: order.folder)
        return ExportText(plain: Workspace.real(place) ?? place)
    }
}
