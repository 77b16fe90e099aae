/// Scripts, which are read and never run: the usual lines become expectations and captures.
extension PostmanReader {
    mutating func scripts(_ events: ForeignValue?, of request: inout SavedRequest) {
        for event in events?.elements ?? [] {
            guard let text = script(of: event) else { continue }
            let listen = event["listen"]?.string ?? "script"
            if text.contains("pm.cookies") { usesCookies = true }
            guard listen == "test" else {
                log.loss(event.offset, "\(listen) of \(request.name)".excerpted, ForeignText.leftOut(script: text))
                continue
            }
            var reader = PostmanScript()
            reader.read(text)
            guard reader.statements > 0 else { continue }
            add(reader, to: &request, at: event.offset)
            let left = reader.left.map { "\($0)" }.joined(separator: ", ")
            if !left.isEmpty {
                let known = reader.statements - reader.left.count
                log.loss(
                    event.offset, "test of \(request.name)".excerpted,
                    "\(known) of \(reader.statements) statements became expectations and captures; left: line \(left)")
            }
        }
    }

    private mutating func add(_ script: PostmanScript, to request: inout SavedRequest, at offset: Int) {
        request.take(script, &log, at: offset)
        if script.expect.within != nil {
            log.remark(offset, "responseTime", "a limit of the whole run, in which retries count, too")
        }
    }

    /// Notes the scripts of a collection or a folder, which run with each request in it.
    mutating func noteScripts(_ events: ForeignValue?) {
        for event in events?.elements ?? [] {
            guard let text = script(of: event) else { continue }
            if text.contains("pm.cookies") { usesCookies = true }
            let listen = event["listen"]?.string ?? "script"
            log.loss(event.offset, "\(listen) of a folder", ForeignText.leftOut(script: text))
        }
    }

    /// The text of a script; nil for one that does nothing.
    private func script(of event: ForeignValue) -> String? {
        guard event["disabled"]?.bool != true, let exec = event["script"]?["exec"] else { return nil }
        let text = exec.kind == .array ? exec.elements.map(\.text).joined(separator: "\n") : exec.text
        return ScriptToken.tokens(of: text).isEmpty ? nil : text
    }
}
