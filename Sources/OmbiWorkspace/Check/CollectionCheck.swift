import OmbiDocument

/// Finds what a collection file can hold and no run can use: errors in templates, and variables and requests that need
/// each other. A file with such errors is loaded all the same, so that it can be repaired on the screen.
public enum CollectionCheck {
    /// Returns the problems beyond those of loading the file, in the order of the file.
    /// - Parameter loaded: the same collection, with what lies beside it.
    public static func problems(in bytes: [UInt8], file: String, beside loaded: Collection? = nil) -> [Problem] {
        guard let document = try? JSONDocument(checking: Bytes(bytes)), let root = document.firstRoot,
            var collection = CollectionFile.read(document, file: file).collection
        else { return [] }
        collection.takeOverlay(from: loaded)
        let log = ProblemLog(file: file, document: document)
        var texts = TemplatePlaces(document)
        texts.collect(root)
        let known = KnownVariables(collection)
        for place in texts.places { check(place, known, document, log) }
        for place in texts.expected { checkExpected(place, known, document, log) }
        checkHosts(texts, log)
        checkParameters(of: collection, texts, log)
        checkDependencies(of: collection, texts, log)
        return log.problems
    }

    // MARK: Templates

    private static func check(
        _ place: TemplatePlaces.Place, _ known: KnownVariables, _ document: JSONDocument, _ log: ProblemLog
    ) {
        let template: Template
        do throws(TemplateError) { template = try Template(place.text) } catch {
            return log.error(at: document.offset(of: place, at: error.offset), error.description)
        }
        for part in template.parts {
            guard case .template(let expression) = part else { continue }
            do throws(TemplateError.Reason) {
                try known.check(expression.value, in: place.variable)
            } catch {
                let error = TemplateError(error, at: expression.offset, in: place.text)
                let offset = document.offset(of: place, at: error.offset)
                // Another source may give it a value: --set, or what an environment does not say.
                if case .unknownVariable = error.kind {
                    log.warning(at: offset, error.description + "; no environment has it, and no request captures it")
                } else {
                    log.error(at: offset, error.description)
                }
            }
        }
    }

    /// Warns of a variable where none is filled in. Other braces are what is expected.
    private static func checkExpected(
        _ place: TemplatePlaces.Place, _ known: KnownVariables, _ document: JSONDocument, _ log: ProblemLog
    ) {
        for case .template(let expression) in (try? Template(place.text))?.parts ?? [] {
            do throws(TemplateError.Reason) { try known.check(expression.value, in: nil) } catch { continue }
            log.warning(
                at: document.offset(of: place, at: expression.offset),
                "\(expression) is not filled in: an expectation is compared as it is written")
        }
    }

    // MARK: Addresses

    private static func checkHosts(_ texts: TemplatePlaces, _ log: ProblemLog) {
        for host in texts.hosts {
            do throws(FieldError) { try HostText.check(host.text) } catch {
                log.error(at: host.range.lowerBound, "\"host\": \(error.message)")
            }
        }
    }

    private static func checkParameters(of collection: Collection, _ texts: TemplatePlaces, _ log: ProblemLog) {
        for (request, offset) in zip(collection.requests, texts.paths) {
            let known = request.pathParameters.filter(\.enabled)
            for name in request.pathParameterNames where !known.contains(where: { $0.name == name }) {
                log.error(at: offset, "\"path\": \(Resolution.noParameter(name, in: known))")
            }
        }
    }

    // MARK: Requests that need each other

    private static func checkDependencies(
        of collection: Collection, _ texts: TemplatePlaces, _ log: ProblemLog
    ) {
        let index = CaptureIndex(collection)
        guard !index.requests.isEmpty else { return }
        var seen: Set<String> = []
        for (number, request) in collection.requests.enumerated() {
            for environment in collection.choosableEnvironments.map(Optional.some)
                + (collection.environments.isEmpty ? [nil] : [])
            {
                var resolver = Resolver.preview(collection, environment, Overrides())
                do throws(ResolveError) {
                    _ = try index.plan(request, index.scope(for: [request])) { (request, scope) throws(ResolveError) in
                        resolver.captured = scope
                        _ = try resolver.resolve(request)
                    }
                } catch {
                    guard error.reason.hasPrefix(CaptureIndex.cycleReason), seen.insert(error.reason).inserted,
                        texts.requests.indices.contains(number)
                    else { continue }
                    log.error(at: texts.requests[number], "\(error.field): \(error.reason)")
                }
            }
        }
    }
}

/// The variables that have a value somewhere, to check names without an environment.
private struct KnownVariables {
    private var texts: [String: String] = [:]
    private var others: Set<String> = []

    init(_ collection: Collection) {
        let overlay = collection.overlay
        let environments = collection.environments + overlay.environments
        for variable in environments.flatMap(\.variables) + collection.allVariables where variable.enabled {
            texts[variable.name] = variable.value
        }
        others = Set((environments.flatMap(\.secrets) + overlay.secrets).map(\.name))
        others.formUnion(overlay.envFiles.values.joined())
        others.formUnion(CaptureIndex(collection).requests.keys)
        addFolders(collection.items)
    }

    /// The names alone: a variable of a folder holds in that folder only.
    private mutating func addFolders(_ items: [CollectionItem]) {
        for case .folder(let folder) in items {
            others.formUnion(folder.settings.variables.filter(\.enabled).map(\.name))
            addFolders(folder.items)
        }
    }

    /// - Parameter variable: the one whose value holds the template.
    func check(_ value: TemplateExpression.Value, in variable: String?) throws(TemplateError.Reason) {
        switch value {
        case .variable(let name):
            guard texts[name] != nil || others.contains(name) else {
                throw .unknownVariable(name, known: Set(texts.keys).union(others).sorted())
            }
            if let variable, let path = path(from: name, to: variable, [variable]) { throw .cycle(path) }
        case .call(let name, let arguments):
            guard let function = TemplateFunction.named(name) else {
                throw .unknownFunction(name, known: TemplateFunction.all.map(\.name))
            }
            for case .value(let value) in arguments { try check(value, in: variable) }
            try function.check(arguments)
        }
    }

    /// The way from a variable back to one that its value names.
    private func path(from name: String, to end: String, _ path: [String]) -> [String]? {
        if name == end { return path + [name] }
        guard path.count < 100, !path.contains(name), !others.contains(name), let text = texts[name] else { return nil }
        for next in (try? Template(text))?.names ?? [] {
            if let found = self.path(from: next, to: end, path + [name]) { return found }
        }
        return nil
    }
}
