/**
 * What is off in what is drawn, in words: empty when all is well. Runs in the page, which knows nothing of this file,
 * so that all it needs is inside.
 */
export function findingsOfPage(): string[] {
  const smallestText = 11;
  /** Pixels that rounding and the rise of letters over their line may take. */
  const slack = 2;

  const root = document.documentElement;
  const findings = new Set<string>();
  const words = (element: Element): string =>
    (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 60);
  const where = (element: Element): string =>
    `${element.tagName.toLowerCase()} “${words(element)}” in ${element.parentElement?.className ?? ''}`;

  type Axis = 'x' | 'y';
  const span = (rect: DOMRect, axis: Axis): [number, number] =>
    axis === 'x' ? [rect.left, rect.right] : [rect.top, rect.bottom];
  const outside = (inner: DOMRect, outer: DOMRect, axis: Axis): boolean => {
    const [from, to] = span(inner, axis);
    const [start, end] = span(outer, axis);
    return from < start - slack || to > end + slack;
  };

  /** Nothing changes while it is measured: what lies around many is asked once. */
  const once = <T>(measure: (element: Element) => T): ((element: Element) => T) => {
    const known = new Map<Element, T>();
    return (element) => {
      const before = known.get(element);
      if (before !== undefined) return before;
      const found = measure(element);
      known.set(element, found);
      return found;
    };
  };

  const drawnAs = once((element) => {
    const { clipPath, clip, overflow, overflowX, overflowY, textOverflow, webkitLineClamp, position } =
      getComputedStyle(element);
    return {
      box: element.getBoundingClientRect(),
      clipPath,
      clip,
      overflow,
      overflowX,
      overflowY,
      textOverflow,
      webkitLineClamp,
      position,
    };
  });

  const isClippedAway = once((element): boolean => {
    const {
      box: { width, height },
      clipPath,
      clip,
      overflowX,
    } = drawnAs(element);
    if (clipPath !== 'none' || clip !== 'auto' || (width <= 1 && height <= 1 && overflowX === 'hidden')) return true;
    return element.parentElement !== null && isClippedAway(element.parentElement);
  });

  /** For screen readers alone, or not drawn at all. */
  const isUnseen = once(
    (element) =>
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || isClippedAway(element),
  );

  /** Names what cuts a box, does not scroll, and does not show that there is more. */
  const cutBy = (element: Element, box: DOMRect, axis: Axis): string | null => {
    let isShortened = false;
    for (let at: Element | null = element; at !== null && at !== root; at = at.parentElement) {
      const style = drawnAs(at);
      const overflow = axis === 'x' ? style.overflowX : style.overflowY;
      isShortened ||=
        axis === 'x' ? style.textOverflow === 'ellipsis' && overflow !== 'visible' : style.webkitLineClamp !== 'none';
      // What stays in sight while its rows are moved in it scrolls as well.
      if (overflow === 'auto' || overflow === 'scroll' || isShortened || style.position === 'sticky') return null;
      if (overflow !== 'visible' && outside(box, style.box, axis)) return where(at);
      if (style.position === 'fixed') break;
    }
    return outside(box, new DOMRect(0, 0, root.clientWidth, root.clientHeight), axis) ? 'the window' : null;
  };

  const noteCut = (element: Element, box: DOMRect): void => {
    for (const axis of ['x', 'y'] as const) {
      const by = cutBy(element, box, axis);
      if (by !== null) findings.add(`cut ${axis === 'x' ? 'across' : 'down'}: ${where(element)} by ${by}`);
    }
  };

  const noteText = (node: Text): void => {
    const element = node.parentElement;
    if (
      element === null ||
      node.data.trim() === '' ||
      isUnseen(element) ||
      element.closest('[data-gives-way], option, select, svg') !== null
    )
      return;
    if (Number.parseFloat(getComputedStyle(element).fontSize) < smallestText)
      findings.add(`smaller than ${smallestText} px: ${where(element)}`);
    const range = document.createRange();
    range.selectNodeContents(node);
    noteCut(element, range.getBoundingClientRect());
  };

  const noteMotion = (element: Element): void => {
    const { transitionDuration, animationName, animationDuration } = getComputedStyle(element);
    const lasts = (durations: string): boolean =>
      durations.split(',').some((duration) => Number.parseFloat(duration) > 0.001);
    if (lasts(transitionDuration) || (animationName !== 'none' && lasts(animationDuration)))
      findings.add(`moves: ${where(element)}`);
  };

  /** A control of which another, which is no part of it and does not float above it, covers the middle. */
  const noteCovered = (control: Element): void => {
    const { left, top, width, height } = drawnAs(control).box;
    const [x, y] = [left + width / 2, top + height / 2];
    // Out of sight in what scrolls.
    for (let at = control.parentElement; at !== null; at = at.parentElement) {
      const { box, overflow } = drawnAs(at);
      if (overflow !== 'visible' && (x < box.left || x > box.right || y < box.top || y > box.bottom)) return;
    }
    const hit = document.elementFromPoint(x, y);
    if (
      hit === null ||
      hit.contains(control) ||
      control.contains(hit) ||
      control.closest('label')?.contains(hit) === true
    )
      return;
    const controls = 'button, input, textarea, select, [role=button], [role=tab], [role=radio]';
    const other = hit.closest(controls);
    const shared = (element: Element): boolean => element.contains(control);
    for (let at: Element | null = hit; at !== null && !shared(at); at = at.parentElement) {
      if (['absolute', 'fixed', 'sticky'].includes(drawnAs(at).position)) return;
    }
    if (other !== null) findings.add(`covered: ${where(control)} by ${where(other)}`);
  };

  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = root;
  if (scrollWidth > clientWidth || scrollHeight > clientHeight)
    findings.add(`the page itself scrolls: ${scrollWidth - clientWidth} across, ${scrollHeight - clientHeight} down`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode() !== null) if (texts.currentNode instanceof Text) noteText(texts.currentNode);
  for (const element of document.body.querySelectorAll('*')) noteMotion(element);
  for (const control of document.querySelectorAll('button, input, textarea, select')) {
    if (isUnseen(control)) continue;
    noteCut(control, drawnAs(control).box);
    noteCovered(control);
  }
  return [...findings];
}

/**
 * What can be come to by Tab and does not show it, in words. Runs in the page, after a key was pressed there: only then
 * does a browser show the focus.
 */
export async function focusNotSeen(): Promise<string[]> {
  const drawn = (element: Element): string => {
    const box = [element, ...element.querySelectorAll('*')].concat(ancestors(element, 4)).slice(0, 40);
    return box
      .map((at) => {
        const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor } = getComputedStyle(at);
        return outlineStyle === 'none'
          ? `${boxShadow} ${borderColor}`
          : `${outlineWidth} ${outlineColor} ${boxShadow} ${borderColor}`;
      })
      .join();
  };
  const ancestors = (element: Element, most: number): Element[] =>
    element.parentElement === null || most === 0
      ? []
      : [element.parentElement, ...ancestors(element.parentElement, most - 1)];
  const before = document.activeElement;
  const missed: string[] = [];
  const reached = document.querySelectorAll<HTMLElement>(
    'button:not([disabled]), input:not([disabled]), textarea, select, [tabindex="0"]',
  );
  for (const element of reached) {
    if (element.tabIndex < 0 || !element.checkVisibility({ visibilityProperty: true, opacityProperty: false }))
      continue;
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    await Promise.resolve();
    const without = drawn(element);
    element.focus({ preventScroll: true });
    await new Promise((resolve) => requestAnimationFrame(resolve));
    if (document.activeElement === element && drawn(element) === without)
      missed.push(
        `the focus is not seen: ${element.tagName.toLowerCase()} ` +
          `“${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 60)}”`,
      );
  }
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return missed;
}
