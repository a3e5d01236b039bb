// Attributes that Streamlit takes from no one, set as soon as it draws what they belong to.

(() => {
  // the side menu's heads stand between its entries, where a list may have entries alone: links in a navigation, and no list
  const menu = "[data-testid=stSidebarNavItems], [data-testid=stSidebarNavItems] li";
  // a container whose key begins so holds a note's own words, whatever the page speaks
  const english = "[class*='st-key-english_']";
  const missing = [[menu, "role", "none"], [english, "lang", "en"]];
  // where files are dropped has a name and can be reached, so that it is no mere presentation
  const drop = "[data-testid=stFileUploaderDropzone][role=presentation]";
  const mend = () => {
    for (const one of document.querySelectorAll(drop)) one.setAttribute("role", "group");
    for (const [those, name, value] of missing)
      for (const one of document.querySelectorAll(those)) if (!one.hasAttribute(name)) one.setAttribute(name, value);
  };
  new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
  mend();
})();
