import OmbiCore
import OmbiDocument

/// Makes requests, settings and environments of Bruno's, and notes what has no counterpart.
struct BrunoReader {
    /// That of the file that is read.
    var log: ImportLog
    /// Fixed values in place of random ones.
    var samples: [Variable] = []
    /// The names of variables that say that they are secret.
    var secretNames: Set<String> = []
    /// Secrets that no file has.
    var prompts: Set<String> = []
    /// The variables of the process environment, by the names of the secrets.
    var processSecrets: [String: String] = [:]
    /// The texts of variables that are filled in while a URL is read.
    var constants: [String: String] = [:]

    init(log: ImportLog) { self.log = log }

    // MARK: Requests

    mutating func request(_ source: BrunoRequest) -> SavedRequest {
        var request = SavedRequest(name: "", path: "")
        request.method = RequestMethod.imported(source.method, &log, at: source.urlOffset)
        request.headers = headers(source.scope.headers)
        setConstant(of: source)
        setAddress(source, of: &request)
        constants = [:]
        request.variables = variables(source.scope.variables)
        request.setName(source.name)
        request.description = source.scope.documentation
        request.tags = tags(source)
        // Without a word on credentials, none are sent.
        request.authentication = .noAuthentication
        if let credentials = source.scope.credentials { request.authentication = authentication(credentials) }
        if let credentials = request.authentication {
            request.silenceHeader(of: credentials, &log, at: source.offset)
        }
        setBody(source.body, of: &request)
        setSettings(source, of: &request)
        setExpectations(source, of: &request)
        for part in source.unused {
            log.loss(part.offset, part.name.excerpted, "left out: the request does not send it")
        }
        if !source.examples.isEmpty { request.examples = source.examples }
        if source.lostExamples > 0 { log.loss(source.offset, "example", SavedExample.lost) }
        return request
    }

    private mutating func tags(_ source: BrunoRequest) -> [String] {
        var tags: [String] = []
        for tag in source.tags where !tags.contains(tag) {
            do throws(FieldError) {
                try Tag.check(tag)
                tags.append(tag)
            } catch {
                log.loss(source.offset, tag.excerpted, "left out: \(error.message)")
            }
        }
        return tags
    }

    private mutating func setSettings(_ source: BrunoRequest, of request: inout SavedRequest) {
        var connection = SavedConnection()
        // The maximum that Bruno has without a setting.
        if let text = source.settings["maxRedirects"], let maximum = Int(text), (0...1000).contains(maximum),
            maximum != 5
        {
            connection.maximumRedirects = maximum
        }
        if source.settings["followRedirects"] == "false" { connection.maximumRedirects = 0 }
        if connection != SavedConnection() { request.connection = connection }
        if let text = source.settings["timeout"], let limit = Int(text), (1...86_400_000).contains(limit) {
            request.policy = RequestPolicy(timeout: .milliseconds(limit))
        }
    }

    // MARK: Settings

    /// The settings of a collection or a folder.
    mutating func settings(_ scope: BrunoScope, at offset: Int) -> SharedSettings {
        var settings = SharedSettings(description: scope.documentation, variables: variables(scope.variables))
        settings.headers = headers(scope.headers)
        // `none` at these levels asks the level above.
        if let credentials = scope.credentials, let found = authentication(credentials), found != .noAuthentication {
            settings.authentication = found
        }
        for script in scope.scripts where !ScriptToken.tokens(of: script.text).isEmpty {
            log.loss(script.offset, "script of a folder", ForeignText.leftOut(script: script.text))
        }
        if let row = scope.captures.first(where: \.isEnabled) {
            log.loss(row.offset, "vars:post-response", "those of a folder are left out: a request captures")
        }
        return settings
    }

    mutating func environment(_ name: String, _ rows: [BrunoRow]) -> Environment {
        var environment = Environment(name: ForeignText.name(name, or: "default"), host: "")
        environment.variables = variables(rows)
        let missing = environment.variables.filter { $0.value.isEmpty && secretNames.contains($0.name) }.map(\.name)
        environment.variables.removeAll { missing.contains($0.name) }
        environment.secrets = missing.map { Secret($0, .prompt("")) }
        return environment
    }

    /// The variables of a level; of several with one name the last that is enabled.
    mutating func variables(_ rows: [BrunoRow]) -> [Variable] {
        var variables = ForeignVariables()
        for row in rows where !row.name.isEmpty {
            let name = log.variableName(row.name, at: row.offset)
            let field = Field(name, template(row.value, at: row.offset), enabled: row.isEnabled)
                .described(row.description)
            if row.isSecret { secretNames.insert(name) }
            // A name for what has the same name outside.
            if field.value != "{{\(name)}}" { variables.add(field) }
        }
        return variables.all
    }

    // MARK: Rows

    /// The rows of a list; those without a name are none.
    mutating func fields(_ rows: [BrunoRow]) -> [Field] {
        var fields: [Field] = []
        for row in rows {
            let name = template(row.name, at: row.offset)
            guard !name.isEmpty else { continue }
            let field = Field(name, template(row.value, at: row.offset), enabled: row.isEnabled)
            fields.append(field.described(row.description))
        }
        return fields
    }

    private mutating func headers(_ rows: [BrunoRow]) -> [Field] {
        var headers: [Field] = []
        for row in rows {
            let name = template(row.name.trimmed, at: row.offset)
            guard !name.isEmpty, log.isHeader(name, at: row.offset) else { continue }
            let value = template(ForeignText.line(row.value), at: row.offset)
            headers.append(Field(name, value, enabled: row.isEnabled).described(row.description))
        }
        return headers
    }

    /// Notes the description of a row that becomes none.
    mutating func noteDescription(of row: BrunoRow) {
        guard !row.description.isEmpty else { return }
        log.loss(row.offset, "description", "left out with its row")
    }
}
