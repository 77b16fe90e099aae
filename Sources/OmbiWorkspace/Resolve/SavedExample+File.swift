extension SavedExample {
    /// Returns the body, also one in a file of the workspace: it is shown and goes to nobody, so there is nothing to allow.
    /// Looks at the disk.
    /// - Parameter collection: the path of the collection file.
    package func content(beside collection: String) throws(TemplateFileError) -> [UInt8] {
        guard let file else { return Array(body.utf8) }
        let folder = collection.lastIndex(of: "/").map { String(collection[..<$0]) } ?? ""
        return try TemplateFiles.system(folder: folder).readOwn(file)
    }
}
