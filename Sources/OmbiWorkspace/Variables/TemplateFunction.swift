import OmbiAuthentication
import OmbiPlatform

/// A function that templates call by a name with a `$`. A new function is one more entry in `all`.
package struct TemplateFunction: Sendable {
    /// With the `$`.
    package var name: String
    /// The call with arguments to begin with.
    package var example: String
    /// One line for the help.
    package var summary: String
    var argumentCount: ClosedRange<Int>
    /// The same in Swift; nil if code has a property instead.
    let swift: (@Sendable ([String]) -> String)?
    var value: @Sendable (TemplateCall) throws(TemplateCall.Failure) -> [UInt8]

    private init(
        _ example: String, _ summary: String, _ argumentCount: ClosedRange<Int> = 0...0,
        swift: (@Sendable ([String]) -> String)? = nil,
        value: @escaping @Sendable (TemplateCall) throws(TemplateCall.Failure) -> [UInt8]
    ) {
        name = String(example.prefix { $0 != "(" })
        self.example = example
        self.summary = summary
        self.argumentCount = argumentCount
        self.swift = swift
        self.value = value
    }

    package static let all: [TemplateFunction] = identities + times + random + encodings

    /// Throws for arguments that cannot fit; those that are only known at the time of a run are not looked at.
    func check(_ arguments: [TemplateExpression.Argument]) throws(TemplateError.Reason) {
        try checkCount(arguments.count)
        var values: [[UInt8]] = []
        for case .literal(let text) in arguments { values.append(Array(text.utf8)) }
        guard values.count == arguments.count, !readsFile else { return }
        let samples = Generators(uuid: { "" }, now: { 0 }, integer: { $0.lowerBound })
        do throws(TemplateCall.Failure) {
            _ = try value(TemplateCall(arguments: values, generators: samples, files: .sample("")))
        } catch {
            throw .arguments(name, error.reason)
        }
    }

    private var readsFile: Bool { name == "$file" }

    /// True for a function of its arguments alone.
    var isPure: Bool { name == "$base64" || name == "$sha256" }

    /// Returns the file outside the workspace that a call reads; nil for none.
    func source(_ call: TemplateCall) -> Source? { readsFile ? call.files.source(call.path(at: 0)) : nil }

    func checkCount(_ count: Int) throws(TemplateError.Reason) {
        guard !argumentCount.contains(count) else { return }
        let words =
            switch argumentCount {
            case 0...0: "no arguments; write \(name)"
            case 1...1: "one argument; write for example \(example)"
            case 0...1: "at most one argument; write for example \(name)('+1d')"
            default:
                "\(argumentCount.lowerBound) to \(argumentCount.upperBound) arguments; write for example \(example)"
            }
        throw .arguments(name, "it takes " + words)
    }

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { $1 }

    static func named(_ name: String) -> TemplateFunction? { byName[name] }

    private static let identities = [
        TemplateFunction("$uuid", "a new random UUID (version 4)", swift: { _ in "UUID().uuidString.lowercased()" }) {
            Array($0.generators.uuid().utf8)
        }
    ]

    private static let times = [
        TemplateFunction(
            "$timestamp", "the seconds since 1970-01-01 UTC",
            swift: { _ in "String(Int(Date().timeIntervalSince1970))" }
        ) { Array("\($0.time.seconds)".utf8) },
        TemplateFunction(
            "$isoTimestamp", "the time in UTC: 2026-01-31T12:00:00Z", swift: { _ in "Date().ISO8601Format()" }
        ) { call throws(TemplateCall.Failure) in Array(try call.time.text("%Y-%m-%dT%H:%M:%SZ").utf8) },
        TemplateFunction(
            "$date", "the date in UTC, such as 2026-01-31; with an offset such as '+7d'", 0...1
        ) { call throws(TemplateCall.Failure) in
            Array(try call.time.adding(try call.offset(at: 0)).text("%Y-%m-%d").utf8)
        },
        TemplateFunction(
            "$now('%Y-%m-%d %H:%M', '+1h')", "the time in UTC in a format of strftime; with an offset such as '-1d'",
            0...2
        ) { call throws(TemplateCall.Failure) in
            let format = call.arguments.isEmpty ? "%Y-%m-%dT%H:%M:%SZ" : try call.text(at: 0)
            return Array(try call.time.adding(try call.offset(at: 1)).text(format).utf8)
        },
    ]

    private static let random = [
        TemplateFunction(
            "$randomInt(1, 100)", "a random whole number between two, both included; without them from 0 to 999", 0...2,
            swift: { arguments in
                let range = arguments.count == 2 ? "\(arguments[0])...\(arguments[1])" : "0...999"
                return "String(Int.random(in: \(range)))"
            }
        ) { call throws(TemplateCall.Failure) in
            guard !call.arguments.isEmpty else { return Array("\(call.generators.integer(0...999))".utf8) }
            guard call.arguments.count == 2 else { throw .init("it takes two numbers, the least and the greatest") }
            let (least, greatest) = (try call.integer(at: 0), try call.integer(at: 1))
            guard least <= greatest else { throw .init("\(least) is greater than \(greatest)") }
            return Array("\(call.generators.integer(least...greatest))".utf8)
        },
        TemplateFunction(
            "$randomString(16)", "that many random letters and digits", 1...1
        ) { call throws(TemplateCall.Failure) in
            let count = try call.integer(at: 0)
            guard (1...10_000).contains(count) else { throw .init("its length is from 1 to 10000, not \(count)") }
            return (0..<count).map { _ in characters[call.generators.integer(0...characters.count - 1)] }
        },
    ]

    private static let characters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)

    private static let encodings = [
        TemplateFunction(
            "$base64(user, ':', password)", "base64 of its arguments, joined", 1...16
        ) { Array(Data($0.arguments.joined()).base64EncodedString().utf8) },
        TemplateFunction(
            "$sha256(text)", "SHA-256 of its arguments, joined, in hexadecimal", 1...16
        ) { Array(HashFunction.sha256.hex(Data($0.arguments.joined())).utf8) },
        TemplateFunction(
            "$file('./data.txt')", "the content of a file, from the folder of the collection", 1...1
        ) { call throws(TemplateCall.Failure) in
            do throws(TemplateFileError) { return try call.files.read(call.path(at: 0)) } catch {
                throw .init(error.description)
            }
        },
    ]
}

/// The call of a function: its arguments, and where values come from.
struct TemplateCall {
    /// The reason why arguments do not fit, with a remedy.
    struct Failure: Error {
        var reason: String
        init(_ reason: String) { self.reason = reason }
    }

    var arguments: [[UInt8]]
    var generators: Generators
    var files: TemplateFiles

    var time: TemplateTime { TemplateTime(generators.now()) }

    func text(at index: Int) throws(Failure) -> String {
        guard let text = String(validating: arguments[index], as: UTF8.self) else {
            throw Failure("the argument \(index + 1) is not UTF-8 text")
        }
        return text
    }

    fileprivate func path(at index: Int) -> String { String(decoding: arguments[index], as: UTF8.self) }

    func integer(at index: Int) throws(Failure) -> Int {
        let text = try text(at: index)
        guard let integer = Int(text) else { throw Failure("\"\(text.excerpt(40))\" is not a whole number") }
        return integer
    }

    /// The seconds of an offset; 0 without that argument.
    func offset(at index: Int) throws(Failure) -> Double {
        guard index < arguments.count else { return 0 }
        let text = try text(at: index)
        guard let offset = TemplateTime.offset(text) else {
            throw Failure("\"\(text.excerpt(40))\" is not an offset; write for example '+90m', '-1d' or '+1d12h'")
        }
        return offset
    }
}

/// The sources of the values of template functions. Tests use fixed ones.
package struct Generators: Sendable {
    package var uuid: @Sendable () -> String
    /// Seconds since 1970-01-01 00:00 UTC.
    package var now: @Sendable () -> Double
    package var integer: @Sendable (ClosedRange<Int>) -> Int

    /// The clock and the random numbers of the system.
    package static let system = Generators(
        uuid: { UUID().uuidString.lowercased() }, now: { Date().timeIntervalSince1970 },
        integer: { Int.random(in: $0) })
}

/// The error of a file that a template or an example names.
package struct TemplateFileError: Error, CustomStringConvertible {
    package var description: String
}

/// The files that templates, schemas and fallbacks name. Tests use fixed ones.
package struct TemplateFiles: Sendable {
    var read: @Sendable (_ path: String) throws(TemplateFileError) -> [UInt8]
    /// Returns the source that a file is; nil for one of the workspace.
    var source: @Sendable (_ path: String) -> Source?

    /// Every file has the same text.
    static func sample(_ text: String) -> TemplateFiles {
        TemplateFiles(read: { _ in Array(text.utf8) }, source: { _ in nil })
    }

    /// Files by their paths from a folder.
    static func system(folder: String) -> TemplateFiles {
        TemplateFiles(
            read: { path throws(TemplateFileError) in
                guard !path.isEmpty else { throw TemplateFileError(description: "the path is empty") }
                let place = RelativePath.resolve(path, folder: folder)
                guard let real = Workspace.real(place) else {
                    let reason = FileError(operation: "read", path: place, code: errno).reason
                    throw TemplateFileError(description: "cannot read \(path): \(reason)")
                }
                return try content(of: real, named: path)
            }, source: { Workspace.source($0, folder: folder) })
    }

    /// Returns the content of a file of the workspace. A grant names a server, and a schema or a fallback goes to none.
    func readOwn(_ path: String) throws(TemplateFileError) -> [UInt8] {
        guard path.isEmpty || source(path) == nil else {
            throw TemplateFileError(
                description: "\(path) is outside the workspace or hidden; copy it to the folder of the collection")
        }
        return try read(path)
    }

    static let maximumByteCount = 16 << 20

    private static func content(of real: String, named path: String) throws(TemplateFileError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try PosixFileSystem().read(real) } catch {
            throw TemplateFileError(description: "cannot read \(path): \(error.reason)")
        }
        guard bytes.count <= maximumByteCount else {
            throw TemplateFileError(description: "\(path) is larger than 16 MB")
        }
        return bytes
    }
}

extension SavedExample {
    /// Returns the body, even from a file of the workspace: it is shown and not sent, so no grant is needed. Reads the
    /// disk.
    /// - Parameter collection: The path of the collection file.
    package func content(beside collection: String) throws(TemplateFileError) -> [UInt8] {
        guard let file else { return Array(body.utf8) }
        return try TemplateFiles.system(folder: RelativePath.folder(of: collection)).readOwn(file)
    }
}
