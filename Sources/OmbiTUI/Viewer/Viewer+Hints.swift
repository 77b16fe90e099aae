/// The footer's hints.
extension Viewer {
    /// The bindings with an effect on the visible content, each with the word for its present effect.
    func hints(_ known: [Binding]) -> [Binding] {
        guard line == nil, let page else { return known }
        var seen: Set<String> = []
        return known.compactMap { binding -> Binding? in
            guard seen.insert(binding.footerKey).inserted else { return nil }
            switch binding.action {
            case .cancelRun: return page.document.isComplete ? nil : binding
            case .view(.filter): return page.document.json == nil ? nil : binding
            case .view(.switchMode):
                return page.modes.count > 1 ? binding.saying(page.nextMode.hint) : nil
            case .view(.select): return page.rows.isEmpty || page.anchor != nil ? nil : binding
            case .view(.copyValue), .view(.find), .view(.save):
                return page.rows.isEmpty ? nil : binding
            default: return binding
            }
        }
    }
}
