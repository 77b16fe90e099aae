import Foundation

/// A declaration that users of a module see: one that is public or open, a case of a public enum, or a requirement of a
/// public protocol. Found by the layout that the formatter gives, in which four spaces stand for one level.
struct Declaration: Equatable {
    let path: String
    let line: Int
    /// "struct", "func", "case", …
    let kind: String
    /// As DocC links it: "RequestManager/send(_:handler:)", "RequestError/timedOut".
    let symbol: String
    let isDocumented: Bool
    /// The types that the type around it says to be: "Requestable" for a member of `struct A: Requestable` and of
    /// `extension Requestable`.
    let conformances: [String]
    let isRequirement: Bool
    /// The protocols that a protocol refines.
    let refined: [String]

    /// "send(_:handler:)"
    var name: String { String(symbol.split(separator: "/").last ?? "") }
    var place: String { "\(path):\(line): \(symbol)" }
}

extension Declaration {
    /// Members that say nothing but what their protocol in the standard library says.
    static let witnesses: Set<String> = [
        "description", "==(_:_:)", "hash(into:)", "init(from:)", "encode(to:)", "init(stringLiteral:)",
        "init(integerLiteral:)", "init(floatLiteral:)", "init(booleanLiteral:)", "init(nilLiteral:)",
        "init(arrayLiteral:)", "makeAsyncIterator()", "next()", "next(isolation:)", "Element", "Failure",
        "Input", "Output", "SchedulerTimeType", "SchedulerOptions", "now", "minimumTolerance", "schedule(options:_:)",
        "schedule(after:tolerance:options:_:)", "schedule(after:interval:tolerance:options:_:)",
    ]

    /// Those that neither have words of their own nor get them from a protocol, which may be one of `imported`. What
    /// begins with an underscore is hidden from the documentation.
    static func undocumented(_ all: [Declaration], imported: [Declaration] = []) -> [Declaration] {
        let known = all + imported
        let requirements = Set(known.filter { $0.isRequirement && $0.isDocumented }.map(\.symbol))
        let refined = known.filter { $0.kind == "protocol" }.reduce(into: [:]) { $0[$1.symbol] = $1.refined }
        return all.filter { declaration in
            let protocols = declaration.conformances + declaration.conformances.flatMap { refined[$0] ?? [] }
            return !declaration.isDocumented && !witnesses.contains(declaration.name) && declaration.name.first != "_"
                && !protocols.contains { requirements.contains("\($0)/\(declaration.name)") }
        }
    }

    static func all(in file: Repository.File) -> [Declaration] {
        var scanner = DeclarationScanner(file: file)
        return scanner.scan()
    }
}
