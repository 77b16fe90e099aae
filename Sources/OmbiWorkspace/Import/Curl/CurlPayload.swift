/// The data of a command: the values of `-d` and its relatives in one.
struct CurlPayload {
    var bytes: [UInt8]
    /// The path of the file that has these bytes, where a single option names it.
    var file: String?
    /// The type that curl sets; nil for an upload.
    var contentType: String?
    /// The `Accept` that `--json` sets.
    var acceptType: String?
    /// The first option.
    var argument: CurlArgument

    var isUpload: Bool { argument.option.effect == .request(.uploadFile) }
    /// The file as the option names it.
    var name: String { argument.value?.text ?? "" }

    /// Returns the percent-encoded form of a byte, and an unreserved character as it is.
    static func escape(_ byte: UInt8) -> [UInt8] {
        if byte < 0x80 { return Array(PercentEncoding.escape(String(Unicode.Scalar(byte))).utf8) }
        return [UInt8(ascii: "%")] + Array(String(byte, radix: 16, uppercase: true).utf8)
    }
}

extension CurlRequestReader {
    var dataArguments: [CurlArgument] {
        operation.all(.data, .dataAscii, .dataRaw, .dataBinary, .dataURLEncode, .json)
    }

    /// Returns the file for the URL at an index; nil without one, and for an empty name.
    mutating func upload(at index: Int) -> CurlPayload? {
        let arguments = operation.all(.uploadFile)
        guard index < arguments.count, let name = arguments[index].value?.text, !name.isEmpty else { return nil }
        if !operation.isOn(.globoff) { noteGlobs(in: name, at: arguments[index].offset) }
        let path = path(name == "." ? "-" : name)
        return CurlPayload(
            bytes: path == nil ? file("-", arguments[index]) : [], file: path, argument: arguments[index])
    }

    /// The data; by `-G` that of the query.
    mutating func data() -> CurlPayload? {
        guard let first = dataArguments.first else { return nil }
        let isJSON = operation.last(.json) != nil
        let contentType = isJSON ? JSONContent.note : FormContent.note
        let acceptType = isJSON ? JSONContent.note : nil
        let path = dataArguments.count == 1 && !operation.isOn(.get) ? wholeFile(of: first) : nil
        if let path, first.option.effect == .request(.dataBinary) {
            return CurlPayload(
                bytes: [], file: path, contentType: contentType, acceptType: acceptType, argument: first)
        }
        var bytes: [UInt8] = []
        for (index, argument) in dataArguments.enumerated() {
            if index > 0, argument.option.effect != .request(.json) { bytes.append(UInt8(ascii: "&")) }
            bytes += piece(argument)
        }
        // Other bytes than text are kept as the file, if that has no others.
        let isText = String(validating: bytes, as: UTF8.self) != nil
        let isFile = !isText && path.flatMap(files) == bytes
        return CurlPayload(
            bytes: bytes, file: isFile ? path : nil, contentType: contentType, acceptType: acceptType, argument: first)
    }

    /// The file of `@FILE`, all of which is sent or, by `-d`, all but its line ends.
    private func wholeFile(of argument: CurlArgument) -> String? {
        guard let value = argument.value, value.bytes.first == UInt8(ascii: "@"),
            ![.request(.dataRaw), .request(.dataURLEncode)].contains(argument.option.effect)
        else { return nil }
        return path(String(value.text.dropFirst()))
    }

    /// The path of a file; nil for the text of a here-document, and where none is named.
    private func path(_ name: String) -> String? {
        if name != "-" { return name.isEmpty ? nil : name }
        return operation.input == nil ? operation.inputFile?.text : nil
    }

    private mutating func piece(_ argument: CurlArgument) -> [UInt8] {
        guard let value = argument.value, case .request(let part) = argument.option.effect else { return [] }
        if part == .dataURLEncode { return encoded(value, argument) }
        guard part != .dataRaw, value.bytes.first == UInt8(ascii: "@") else { return value.bytes }
        let content = file(String(value.text.dropFirst()), argument)
        // Only these keep the line ends of a file.
        return part == .dataBinary || part == .json ? content : content.filter { ![0x0A, 0x0D, 0].contains($0) }
    }

    /// `content`, `=content`, `name=content`, `@file`, `name@file`.
    mutating func encoded(_ value: ShellWord, _ argument: CurlArgument) -> [UInt8] {
        let mark = value.bytes.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }
        guard let mark else { return Self.escaped(value.bytes) }
        let name = value.bytes[..<mark]
        let rest = Array(value.bytes[(mark + 1)...])
        let isFile = value.bytes[mark] == UInt8(ascii: "@")
        let content = isFile ? file(String(decoding: rest, as: UTF8.self), argument) : rest
        // curl leaves out the name of an empty file.
        if isFile, content.isEmpty { return [] }
        return name + (name.isEmpty ? [] : [UInt8(ascii: "=")]) + Self.escaped(content)
    }

    /// Everything but unreserved characters, with `+` for a space. Templates stay.
    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return bytes.flatMap { $0 == 0x20 ? [UInt8(ascii: "+")] : CurlPayload.escape($0) }
        }
        let escaped = TemplateText.mapping(text) { PercentEncoding.escape($0).replacing("%20", with: "+") }
        return Array(escaped.utf8)
    }

    /// Returns the content of a file, `-` being the standard input; none, with a note, if it cannot be read.
    mutating func file(_ name: String, _ argument: CurlArgument) -> [UInt8] {
        if name == "-", let input = operation.input { return input }
        if name == "-", let path = operation.inputFile?.text, let content = files(path) { return content }
        if name != "-", let content = files(name) { return content }
        let what = name == "-" ? "the standard input" : "the file \(name)"
        log.loss(argument, of: "@\(name)", "\(what) was not read; put its text into the body")
        return []
    }

    // MARK: Body

    /// Sets the body that sends these bytes, and takes its content type from the headers.
    mutating func setBody(
        _ payload: CurlPayload?, of request: inout SavedRequest, _ headers: inout CurlHeaders, at url: ShellWord
    ) throws(ImportError) {
        // A file that is sent is the body also with `-G`.
        guard let payload, !operation.isOn(.get) || payload.isUpload else { return }
        let (offset, written) = (payload.argument.offset, payload.argument.written)
        guard request.method != .head else { return log.loss(offset, written, "HEAD has no body") }
        if let path = payload.file { return setFile(path, payload, of: &request, &headers) }
        guard let text = String(validating: payload.bytes, as: UTF8.self) else {
            throw log.error(offset, "\(written): the body is not UTF-8 text; write --data-binary @FILE to send a file")
        }
        let type = headers.contentType
        let body = Self.body(text, type)
        request.body = body
        switch (body, type) {
        case (.text(let content), _) where content.contentType == nil:
            log.loss(offset, written, "a body always has a Content-Type; Ombi sends text/plain; charset=utf-8")
        case (.text, _), (.json, "application/json"), (.form, FormContent.note): headers.removeContentType()
        default: break
        }
        if case .text = body, payload.contentType == FormContent.note, type == FormContent.note,
            text.first == "{", (try? JSONValue.parse(text)) != nil
        {
            log.remark(offset, written, "the body looks like JSON, and curl sends it as a form; set its kind to json")
        }
    }

    /// Sets a file, which is read when it is sent, as the body.
    private mutating func setFile(
        _ path: String, _ payload: CurlPayload, of request: inout SavedRequest, _ headers: inout CurlHeaders
    ) {
        let type = headers.contentType.map { TemplateText.escaped($0) }
        let content = FileContent(TemplateText.escaped(path), contentType: type)
        request.body = .file(content)
        headers.removeContentType()
        if type == nil {
            log.loss(payload.argument, "a body always has a Content-Type; Ombi sends \(FileType.named(path))")
        }
    }

    private static func body(_ text: String, _ type: String?) -> SavedBody {
        let kind = type.map { String($0.prefix { $0 != ";" && $0 != " " }).lowercased() } ?? ""
        if kind == "application/json" || kind.hasSuffix("+json"), let value = try? JSONValue.parse(text) {
            return .json(JSONContent(TemplateText.escaped(value)))
        }
        if kind == FormContent.note, let rows = ForeignBody(functions: nil).rows(ofForm: text) {
            return .form(FormContent(rows))
        }
        return .text(TextContent(TemplateText.escaped(text), contentType: type.map { TemplateText.escaped($0) }))
    }
}
