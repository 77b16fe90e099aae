import OmbiWorkspace

extension ItemPath {
    /// `shop.json: users/list`
    var shortName: String {
        let file = file.split(separator: "/").last.map(String.init) ?? file
        return file + ": " + path.joined(separator: "/")
    }
}
