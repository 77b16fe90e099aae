// Sources: Sources/OmbiWorkspace/Authentication/Netrc.swift Sources/OmbiWorkspace/Format/EnvFile.swift

/// Texts as `.netrc` files: an error has a line of the text, and what is written down in quotes is read again.
@_cdecl("LLVMFuzzerTestOneInput")
func netrcFuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    let file: Netrc
    do throws(Netrc.Failure) { file = try Netrc(text) } catch {
        precondition((1...text.utf8.count + 1).contains(error.line) && !error.message.isEmpty, "an error has a line")
        return 0
    }
    var written = ""
    for entry in file.entries {
        written += entry.machine.map { "machine " + quoted($0) } ?? "default"
        if let login = entry.login { written += " login " + quoted(login) }
        if let password = entry.password { written += "\r\n\tpassword " + quoted(password) }
        written += " # comment\n"
    }
    let again = try? Netrc(written)
    precondition(again == file, "entries are read again")
    for entry in file.entries { precondition(file.entry(of: entry.machine ?? "") != nil, "an entry is found") }
    return 0
}

/// By scalars: a character may be a quote and more.
private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": result += "\\" + String(scalar)
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        default: result.unicodeScalars.append(scalar)
        }
    }
    result.unicodeScalars.append("\"")
    return result
}
